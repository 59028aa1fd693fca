# WEBHOOK_SECRET=whsec_… sh verify.sh SIGNATURE < body
expected=$(openssl dgst -sha256 -hmac "$WEBHOOK_SECRET" | sed 's/.* //')
if [ "$expected" = "$1" ]; then echo genuine; else echo forged; exit 1; fi
