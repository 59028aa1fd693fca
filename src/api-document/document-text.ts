export const DESCRIPTION = `The partner API: list loan products, start a journey for an applicant, compare the lenders' offers, take the journey to the payout, and receive each step as a signed webhook.

Every path is also served without the \`/api\` prefix (\`/v1/partner/…\`); the signature covers the path as it is sent.

## Signing

Every call carries its key in \`x-api-key\` or as \`Authorization: Bearer\`, and is signed with the key's secret:

    x-signature = hex(HMAC-SHA256(secret, METHOD \\n TARGET \\n TIMESTAMP \\n NONCE \\n RAW_BODY))

\`METHOD\` is in upper case. \`TARGET\` is the path with its query string, as sent. \`TIMESTAMP\` and \`NONCE\` are the values of \`x-timestamp\` and \`x-nonce\`. \`RAW_BODY\` is the exact bytes of the body, empty without a body. The timestamp must be within 300 seconds of the server's time. Use each nonce once.

## Responses

\`{ "success": true, "data": … }\`, or \`{ "success": false, "error": …, "code": … }\`. \`code\` is stable and machine-readable; \`details\` names every invalid field when \`code\` is \`validation_failed\`. New fields may be added to responses. Unknown fields in a request body are ignored.

Retry 408, 500 and 503 with exponential back-off, and any response with \`Retry-After\` after that many seconds. After a 409 read the journey again. Never retry a 403.

Amounts are in rupees, tenures in months, rates in percent a year, times in UTC.

## Limits

Each key has a limit a minute and a limit a day (120 and 20,000 unless agreed otherwise). The minute is a sliding window of the current second and the sixty before it, 61 seconds in effect. Under a limit of 120, a client at exactly two calls a second is occasionally refused; at 118 a minute it is not. The day is the calendar day in India. Every response carries \`RateLimit-Remaining\`; on 429 wait for \`Retry-After\` seconds. A body has at most 100 KB.`;

/** By the first segment of the path after the prefix. */
export const TAGS: Readonly<Record<string, { name: string; description: string }>> = {
  products: { name: 'Products', description: 'The loan products that the key may offer.' },
  eligibility: { name: 'Eligibility', description: 'Which lenders are likely to make an offer.' },
  journey: { name: 'Journeys', description: 'Hosted and headless loan journeys.' },
  'instant-loans': { name: 'Instant loans', description: 'Instant personal loans.' },
  leads: { name: 'Leads', description: 'Applications of journeys and instant loans.' },
  events: { name: 'Events', description: 'Poll for events instead of receiving webhooks.' },
  webhooks: { name: 'Webhooks', description: 'Subscriptions to events of journeys, and alerts.' },
  sandbox: { name: 'Sandbox', description: 'Only in the sandbox; production answers 404.' },
  'workbench-links': { name: 'Workbench', description: 'Pages for a partner’s engineers.' },
};
