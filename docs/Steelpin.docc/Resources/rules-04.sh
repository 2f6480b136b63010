steelpin matrix suite.json5
