# API_SECRET=… sh sign.sh METHOD TARGET TIMESTAMP NONCE < body
{ printf '%s\n%s\n%s\n%s\n' "$1" "$2" "$3" "$4"; cat; } | openssl dgst -sha256 -hmac "$API_SECRET" | sed 's/.* //'
