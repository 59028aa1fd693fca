export const DOCUMENT_DESCRIPTION = `How a lender outside this service is asked, and answers. The guide from nothing to a passing gateway is
\`docs/lender-api/README.md\`.

**The one rule.** Every call is an idempotent question. \`200\` is a verdict, \`202\` means "not known yet", everything
else (another status, a time-out, a body or a signature that does not hold) is unknown: the same question is put again
under the same key. A verdict that was given once is given again for the same key.

**Transport.** HTTPS; JSON in UTF-8, at most 256 KB; 10 seconds a call, body included. Amounts are integer paise,
rates and percentages decimal text, moments ISO 8601 with seconds and offset, days \`YYYY-MM-DD\`. A field that is not
known is left out, never null. Unknown fields are ignored.

**Signatures.** Requests and answers of both sides carry \`x-jws-signature\`: a detached JWS with an unencoded payload
(RFC 7515, RFC 7797) over the exact bytes of the body, EdDSA (Ed25519) or ES256. Its protected header has \`alg\`,
\`kid\`, \`b64: false\`, \`crit: ["b64"]\`, \`iat\` (Unix seconds, at most 300 off) and \`jti\`; for a request \`htm\`
and \`htu\` (method and whole address), for an answer \`htu\`, \`status\` and \`req\` (the \`jti\` of the request).`;

export const TAGS = {
  LENDER: {
    name: 'Rinpath asks the lender',
    description: 'Served by the lender, at its base address.',
  },
  RINPATH: {
    name: 'The lender tells Rinpath',
    description: 'Served by this service. A lender can only speak of what it was asked.',
  },
} as const;
