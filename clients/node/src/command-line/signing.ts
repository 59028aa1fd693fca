import { readFile } from 'node:fs/promises';
import { signedHeaders } from '../signature.ts';
import { verifyBodySignature, verifyWebhook } from '../webhooks.ts';
import { baseUrl, keyPair, setting, UsageError } from './terminal.ts';
import type { Terminal, Values } from './terminal.ts';

/** @throws UsageError */
export async function sign(
  values: Values,
  terminal: Terminal,
  [method = '', target = '']: readonly string[],
): Promise<void> {
  if (!/^[A-Za-z]+$/.test(method) || !target.startsWith('/')) {
    throw new UsageError(
      'Give the method and the path without the host: rinpath sign GET /api/v1/partner/products',
    );
  }
  const base = baseUrl(values, terminal);
  const url = new URL(base + target);
  const sent = url.pathname + url.search;
  if (sent !== target) throw new UsageError(`Write the path as it is sent: ${sent}`);
  const body = await bodyOf(values, terminal);
  const request = { method: method.toUpperCase(), target, rawBody: body.text };
  const headers = signedHeaders(request, keyPair(values, terminal));
  const lines = Object.entries({
    ...headers,
    ...(body.text !== '' && { 'content-type': 'application/json' }),
  }).map(([name, value]) => `${name}: ${value}`);
  if (values['curl'] !== true) {
    for (const line of lines) terminal.print(line);
    return;
  }
  const parts = [
    `curl -X ${request.method} ${quoted(url.href)}`,
    ...lines.map((line) => `-H ${quoted(line)}`),
    ...(body.text === '' ? [] : [body.option]),
  ];
  terminal.print(parts.join(' \\\n  '));
}

/** `option` is curl's. */
async function bodyOf(
  values: Values,
  { readInput }: Terminal,
): Promise<{ text: string; option: string }> {
  const file = setting(values, 'body');
  if (file === undefined) return { text: '', option: '' };
  const bytes = await (file === '-' ? readInput() : readFile(file)).catch((error: Error) => {
    throw new UsageError(
      `--body must be a readable file, or - for standard input: ${error.message}`,
    );
  });
  const text = bytes.toString('utf8');
  if (!Buffer.from(text).equals(bytes)) throw new UsageError('The body must be UTF-8 text.');
  const option =
    file === '-' ? `--data-raw ${quoted(text)}` : `--data-binary ${quoted(`@${file}`)}`;
  return { text, option };
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** @throws UsageError, WebhookVerificationError */
export async function verify(values: Values, terminal: Terminal): Promise<void> {
  const secret = setting(values, 'secret', terminal.env['RINPATH_WEBHOOK_SECRET']);
  const signature = setting(values, 'signature')?.trim() ?? '';
  if (!secret) throw new UsageError('Give --secret, or set RINPATH_WEBHOOK_SECRET.');
  const isOfBody = /^[0-9a-f]{64}$/i.test(signature);
  const { id, timestamp } = values;
  if (!isOfBody && (!signature.startsWith('v1,') || !id || !timestamp)) {
    throw new UsageError(
      'Give --signature with the value of x-rinpath-signature (64 hexadecimal characters), ' +
        'or with that of webhook-signature (v1,…) and --id and --timestamp.',
    );
  }
  const body = await terminal.readInput();
  if (isOfBody) {
    verifyBodySignature(body, signature, secret);
  } else {
    const headers = {
      'webhook-id': String(id),
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signature,
    };
    verifyWebhook(body, headers, secret);
  }
  terminal.print('OK: the signature is valid.');
}
