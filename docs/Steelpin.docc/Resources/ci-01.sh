steelpin pin show localhost:8443 | head -1 > pins.txt
