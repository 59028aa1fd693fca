interface ExampleCall {
  readonly operationId: string;
  readonly method: string;
  /** `/api/v1/partner/journey/{journeyId}` */
  readonly path: string;
  readonly body?: unknown;
  readonly needsSession: boolean;
  readonly isIdempotent: boolean;
}

export interface CallExample {
  readonly language: 'curl' | 'Node' | 'Python' | 'Java' | 'Go' | 'PHP';
  readonly code: string;
}

type Header = readonly [name: string, variable: string];

const SESSION: Header = ['x-journey-session', 'journeySession'];
const ORDER: Header = ['idempotency-key', 'orderId'];
const PREFIX = '/api/v1/partner';
/** The Node client's methods with other names; a test compares them. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  submitJourneyAction: 'submitAction',
  signalRedirectReturned: 'redirectReturned',
};

/** Each example works as soon as its placeholders are replaced by real ids. */
export function examplesOf(call: ExampleCall): CallExample[] {
  return [
    { language: 'curl', code: curl(call) },
    { language: 'Node', code: node(call) },
    { language: 'Python', code: python(call) },
    { language: 'Java', code: java(call) },
    { language: 'Go', code: go(call) },
    { language: 'PHP', code: php(call) },
  ];
}

export function clientMethod(operationId: string): string {
  return OTHER_NAMES[operationId] ?? operationId;
}

function curl({ method, path, body, needsSession, isIdempotent }: ExampleCall): string {
  const target = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${shellName(name)}`);
  const values = [
    ...namesIn(path).map((name) => `${shellName(name)}=…\n`),
    ...(needsSession ? ['JOURNEY_SESSION=…\n'] : []),
    ...(isIdempotent ? ['ORDER_ID=order-A1042\n'] : []),
  ];
  const text = body === undefined ? '' : jsonOf(body).replaceAll("'", "'\\''");
  const more = [
    ...(body === undefined ? [] : ['-H \'content-type: application/json\' --data-binary "$BODY"']),
    ...(needsSession ? ['-H "x-journey-session: $JOURNEY_SESSION"'] : []),
    ...(isIdempotent ? ['-H "idempotency-key: $ORDER_ID"'] : []),
  ];
  return [
    `${values.join('')}METHOD=${method} TARGET="${target}"`,
    body === undefined ? "BODY=''" : `BODY='${text}'`,
    'TIMESTAMP=$(date +%s)',
    'NONCE=$(cat /proc/sys/kernel/random/uuid 2>/dev/null || uuidgen)',
    `SIGNATURE=$(printf '%s\\n%s\\n%s\\n%s\\n%s' "$METHOD" "$TARGET" "$TIMESTAMP" "$NONCE" "$BODY" |`,
    `  openssl dgst -sha256 -hmac "$API_SECRET" | sed 's/.* //')`,
    [
      'curl -sS -X "$METHOD" "$BASE_URL$TARGET"',
      '-H "x-api-key: $API_KEY" -H "x-timestamp: $TIMESTAMP"',
      '-H "x-nonce: $NONCE" -H "x-signature: $SIGNATURE"',
      ...more,
    ].join(' \\\n  '),
  ].join('\n');
}

function node({ operationId, path, body, needsSession, isIdempotent }: ExampleCall): string {
  const given = [
    ...namesIn(path),
    ...(body === undefined ? [] : [nodeLiteral(body)]),
    ...(needsSession ? ['{ session: journeySession }'] : []),
    ...(isIdempotent ? ['{ idempotencyKey: orderId }'] : []),
  ];
  return `const data = await rinpath.${clientMethod(operationId)}(${given.join(', ')});`;
}

function python({ method, path, body, needsSession, isIdempotent }: ExampleCall): string {
  const own = path.slice(PREFIX.length);
  const ids = namesIn(path);
  const text = ids.reduce((so, name) => so.replace(`{${name}}`, `{${snakeName(name)}}`), own);
  const given = [
    `"${method}"`,
    `${ids.length > 0 ? 'f' : ''}"${text}"`,
    ...(body === undefined ? [] : [`body=${pythonLiteral(body)}`]),
    ...(needsSession ? ['session=journey_session'] : []),
    ...(isIdempotent ? ['idempotency_key=order_id'] : []),
  ];
  return `data = rinpath.call(${given.join(', ')})`;
}

function java({ method, path, body, ...call }: ExampleCall): string {
  const target = joined(path, ' + ');
  const text = body === undefined ? '""' : `"""\n${jsonOf(body).replaceAll('\\', '\\\\')}"""`;
  const headers = headersOf(call).map(([name, variable]) => `, "${name}", ${variable}`);
  return `String data = call("${method}", ${target}, ${text}${headers.join('')});`;
}

function go({ method, path, body, ...call }: ExampleCall): string {
  const text = body === undefined ? '""' : `\`${jsonOf(body)}\``;
  const headers = headersOf(call).map(([name, variable]) => `, "${name}", ${variable}`);
  return `data, err := call("${method}", ${joined(path, '+')}, ${text}${headers.join('')})`;
}

function php({ method, path, body, ...call }: ExampleCall): string {
  const target = path.replaceAll(/\{(\w+)\}/g, '$$$1');
  const headers = headersOf(call).map(([name, variable]) => `"${name}: $${variable}"`);
  const given = [
    `'${method}'`,
    `"${target}"`,
    ...(body === undefined ? [] : [`<<<'JSON'\n${jsonOf(body)}\nJSON`]),
    ...(headers.length > 0 ? [`headers: [${headers.join(', ')}]`] : []),
  ];
  return `$data = call(${given.join(', ')});`;
}

function headersOf({ needsSession, isIdempotent }: Partial<ExampleCall>): Header[] {
  return [...(needsSession ? [SESSION] : []), ...(isIdempotent ? [ORDER] : [])];
}

/** `"/journey/" + journeyId + "/action"` */
function joined(path: string, plus: string): string {
  const parts = path.split(/\{(\w+)\}/).map((part, place) => (place % 2 ? part : `"${part}"`));
  return parts.filter((part) => part !== '""').join(plus);
}

function jsonOf(body: unknown): string {
  return JSON.stringify(body, null, 2);
}

function namesIn(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
}

function snakeName(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function shellName(name: string): string {
  return snakeName(name).toUpperCase();
}

function nodeLiteral(value: unknown): string {
  return jsonOf(value).replaceAll(/^(\s*)"([A-Za-z]\w*)":/gm, '$1$2:');
}

function pythonLiteral(value: unknown, indent = ''): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const within = `${indent}    `;
  const lines = Array.isArray(value)
    ? value.map((item) => `${within}${pythonLiteral(item, within)},\n`)
    : Object.entries(value).map(
        ([name, item]) => `${within}"${name}": ${pythonLiteral(item, within)},\n`,
      );
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return `${open}\n${lines.join('')}${indent}${close}`;
}
