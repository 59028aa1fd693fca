import { readApiKey, readApiSecret } from './key-format.js';
import { isRightFinding, type SignatureExplanation } from './explain-signature.js';

const SECONDS_PER_MINUTE = 60;
const SECONDS_PER_HOUR = 3_600;

export function refusalHint(explanation: SignatureExplanation): string {
  const { finding, says, canonical, bodyBytes, bodySha256 } = explanation;
  const verdict =
    isRightFinding(finding) || finding === 'UNKNOWN' ? says : `the signature is wrong: ${says}`;
  const body = bodyBytes === 0 ? 'no body' : `the raw body of ${bodyBytes} bytes`;
  return [
    ...clockHint(explanation),
    verdict,
    `the server signed ${JSON.stringify(canonical)} followed by ${body} (SHA-256 ${bodySha256})`,
  ].join('; ');
}

export function unknownKeyHint(apiKey: string): string {
  return malformedKeyHint(apiKey) ?? 'this sandbox has no such API key';
}

export function malformedKeyHint(apiKey: string): string | null {
  if (readApiSecret(apiKey)) {
    return 'this is an API secret: x-api-key takes the key, and the secret is never sent';
  }
  const form = readApiKey(apiKey);
  if (!form) return 'this is no API key as it was issued: its checksum is wrong; copy it again';
  if (form.mode === 'live') return 'this is a live key: a sandbox takes test keys';
  return null;
}

function clockHint({ isInTime, secondsAhead }: SignatureExplanation): string[] {
  if (isInTime) return [];
  const off = offBy(secondsAhead);
  return [`the timestamp is more than 300 seconds from the server time: it is ${off} it`];
}

/** `330 seconds ahead of`; not for 0. */
export function offBy(secondsAhead: number): string {
  return `${spelled(Math.abs(secondsAhead))} ${secondsAhead > 0 ? 'ahead of' : 'behind'}`;
}

/** `330 seconds`; from an hour on with hours. */
function spelled(seconds: number): string {
  const hours = Math.floor(seconds / SECONDS_PER_HOUR);
  const minutes = Math.floor((seconds % SECONDS_PER_HOUR) / SECONDS_PER_MINUTE);
  const words = `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
  return hours === 0 ? words : `${words} (${hours} h ${minutes} min)`;
}
