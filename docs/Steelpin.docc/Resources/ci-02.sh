steelpin pin show localhost:8443 | head -1 > pins.txt
steelpin pin backup localhost --output backup
steelpin pin show backup.csr >> pins.txt
