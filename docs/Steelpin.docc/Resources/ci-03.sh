steelpin check localhost:8443 --cacert ca.pem --pin @pins.txt
