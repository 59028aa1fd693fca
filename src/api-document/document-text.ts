export const DESCRIPTION = `The partner API: list loan products, start a journey for an applicant, compare the lenders' offers, take the journey to the money, and hear of each step by signed webhooks.

Every path is also served without the \`/api\` prefix (\`/v1/partner/…\`); the signature covers the path as it is sent.

## Signing

Every call names its key, in \`x-api-key\` or as \`Authorization: Bearer\`, and is signed with the key's secret:

    x-signature = hex(HMAC-SHA256(secret, METHOD \\n TARGET \\n TIMESTAMP \\n NONCE \\n RAW_BODY))

\`METHOD\` is in upper case, \`TARGET\` is the path with its query string as sent, \`TIMESTAMP\` and \`NONCE\` are the values of \`x-timestamp\` and \`x-nonce\`, and \`RAW_BODY\` is the exact bytes of the body, nothing when there is none. The timestamp must lie within 300 seconds of the server's time, and a nonce is good once.

## Answers

\`{ "success": true, "data": … }\`, or \`{ "success": false, "error": …, "code": … }\`. \`code\` is stable and machine-readable; \`details\` names every bad field when \`code\` is \`validation_failed\`. Fields may be added to answers; those that a body has beyond the documented ones are ignored.

Retry 408, 500 and 503 with exponential back-off, and any answer with \`Retry-After\` after so many seconds. After 409 read the journey again. Never retry 403.

Amounts are in rupees, tenures in months, rates in percent a year, times in UTC.

## Limits

Each key has a limit a minute and a limit a day (120 and 20,000 unless agreed otherwise). The minute slides second by second and counts the second that has begun and the sixty before it, so it is in effect 61 seconds: a client at exactly two calls a second is refused now and then under a limit of 120, and one that keeps to 118 a minute is not. The day is the calendar day in India. Every answer carries \`RateLimit-Remaining\`; on 429 wait for \`Retry-After\` seconds. A body has at most 100 KB.`;

/** By the first segment of the path after the prefix. */
export const TAGS: Readonly<Record<string, { name: string; description: string }>> = {
  products: { name: 'Products', description: 'What the key may offer.' },
  journey: { name: 'Journeys', description: 'Hosted and headless loan journeys.' },
  'instant-loans': { name: 'Instant loans', description: 'Instant personal loans.' },
  leads: { name: 'Leads', description: 'Applications, of journeys and of instant loans.' },
  events: { name: 'Events', description: 'The events of journeys, for whoever would rather ask.' },
  webhooks: { name: 'Webhooks', description: 'Subscriptions to the events of journeys.' },
  sandbox: { name: 'Sandbox', description: 'Of a sandbox alone; production answers 404.' },
  'workbench-links': { name: 'Workbench', description: 'The pages for a partner’s engineers.' },
};
