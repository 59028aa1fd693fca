# sh signed-call.sh [METHOD TARGET [BODY]], with curl and openssl
BASE_URL=${BASE_URL:-http://localhost:3000}
API_KEY=${API_KEY:-YOUR_API_KEY}
API_SECRET=${API_SECRET:-YOUR_API_SECRET}

METHOD=${1:-GET}
TARGET=${2:-/api/v1/partner/products}
BODY=$3
TIMESTAMP=$(date +%s)
NONCE=$(cat /proc/sys/kernel/random/uuid 2>/dev/null || uuidgen)
SIGNATURE=$(printf '%s\n%s\n%s\n%s\n%s' "$METHOD" "$TARGET" "$TIMESTAMP" "$NONCE" "$BODY" |
  openssl dgst -sha256 -hmac "$API_SECRET" | sed 's/.* //')

curl -sS -X "$METHOD" "$BASE_URL$TARGET" \
  -H "x-api-key: $API_KEY" -H "x-timestamp: $TIMESTAMP" \
  -H "x-nonce: $NONCE" -H "x-signature: $SIGNATURE" \
  -H 'content-type: application/json' ${BODY:+--data-binary "$BODY"}
