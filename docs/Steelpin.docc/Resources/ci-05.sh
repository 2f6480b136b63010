steelpin pin lint network_security_config.xml
steelpin check localhost:8443 --config network_security_config.xml --cacert ca.pem
