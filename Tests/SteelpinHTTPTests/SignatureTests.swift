// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import SteelpinHTTP
import Testing

/// The vectors were made by `printf '%s' TEXT | openssl dgst -sha256 -hmac SECRET` and
/// `printf '%s%s' TEXT SECRET | openssl md5`, in upper case.
@Suite("signatures over sorted parameters") struct SignatureTests {
  private func request(_ query: String, form: String? = nil, fields: [String: String] = [:]) throws -> URLRequest {
    var request = URLRequest(url: try #require(URL(string: "https://api.example/path" + query)))
    request.httpBody = form.map { Data($0.utf8) }
    for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
    return request
  }

  @Test("HMAC-SHA-256 is the default") func hmac() throws {
    let signature = SortedParameterSignature(secret: Array("pin&secret".utf8), signedFields: ["X-User"])
    let request = try request("?b=2%20x&appkey=steel", fields: ["x-user": " ann ", "x-other": "1"])
    #expect(signature.canonicalText(of: request) == "appkey=steel&b=2%20x&x-user=ann")
    let expected = "B315C11E4B77CFB756850FEECAB813503AC8CCE0592756316D8D3968D3EAE2F3"
    #expect(try signature.signature(of: request) == expected)
    #expect(try signature.adapt(request).value(forHTTPHeaderField: "X-Signature") == expected)
  }

  @Test("MD5 of text and secret for servers that know nothing else") func md5() throws {
    let signature = SortedParameterSignature(
      secret: Array("topsecret".utf8), algorithm: .md5, field: "sign", signedFields: ["X-User"])
    let request = try request("?b=2%20x", form: "appkey=steel", fields: ["X-User": "ann"])
    #expect(try signature.signature(of: request) == "649C9A628048098E06EA72E3D5E8F2B7")
  }

  @Test(
    "the text that is signed",
    arguments: [
      ("", nil, ""), ("?", nil, ""), ("?a", nil, "a="), ("?b=1&a=2", nil, "a=2&b=1"), ("?a=2&a=1", nil, "a=1&a=2"),
      ("?A=1&a=1", nil, "A=1&a=1"), ("?b=1", "c=1+2&a=%26", "a=%26&b=1&c=1%202"), ("?a=%C3%A9", nil, "a=%C3%A9"),
      ("", "broken=%zz&=x", "=x&broken=%25zz"),
    ])
  func text(_ query: String, _ form: String?, _ expected: String) throws {
    #expect(SortedParameterSignature(secret: []).canonicalText(of: try request(query, form: form)) == expected)
  }

  @Test("pairs that look alike are told apart") func ambiguity() throws {
    let signature = SortedParameterSignature(secret: [1])
    #expect(try signature.signature(of: request("?a=1%26b=2")) != signature.signature(of: request("?a=1&b=2")))
  }

  @Test("a body of another type is not taken for a form") func otherBody() throws {
    let request = try request("?a=1", form: "{\"b=1\":2}", fields: ["Content-Type": "application/json"])
    #expect(SortedParameterSignature(secret: []).canonicalText(of: request) == "a=1")
  }
}
