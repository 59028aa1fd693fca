import { REDIRECT_STEPS, type RedirectStep } from '../../journey-steps/index.js';
import { Rule, TextField, MAX_ADDRESS_CHARACTERS } from '../../platform/index.js';
import { WholeNumberField } from './number-fields.js';
import { PartField, WordsField } from './part-fields.js';

const optional = true;
const MAX_KEYS = 2;
const MAX_PEM_CHARACTERS = 20_000;
const PEM_MESSAGE = 'must be PEM: -----BEGIN …';
const MAX_CALLS_PER_SECOND = 1_000;
const MAX_CALLS_AT_ONCE = 256;

/** How much one replica asks of a lender. */
export class RemoteLimitsSection {
  @WholeNumberField({ least: 1, most: MAX_CALLS_PER_SECOND, optional })
  callsPerSecond?: number;

  @WholeNumberField({ least: 1, most: MAX_CALLS_AT_ONCE, optional })
  callsAtOnce?: number;
}

/** The client certificate that a lender is shown, as PEM. */
export class ClientTlsSection {
  @Rule('pem', isPem, PEM_MESSAGE)
  certificate: string;

  @Rule('pem', isPem, PEM_MESSAGE)
  privateKey: string;
}

/** A lender that speaks the lender protocol (RLP/1). */
export class RemoteSection {
  @TextField({ most: MAX_ADDRESS_CHARACTERS })
  address: string;

  @Rule('jwks', isKeyList, `must be a list of one or two public keys (JWK), each a mapping`)
  keys?: Record<string, unknown>[];

  @TextField({ optional, most: MAX_ADDRESS_CHARACTERS })
  jwks?: string;

  @PartField(RemoteLimitsSection, { optional })
  limits?: RemoteLimitsSection;

  /** Left out: as the lender says each time. */
  @WordsField({ of: REDIRECT_STEPS, optional })
  covers?: RedirectStep[];

  @PartField(ClientTlsSection, { optional })
  tls?: ClientTlsSection;
}

function isPem(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    value.length <= MAX_PEM_CHARACTERS &&
    value.trimStart().startsWith('-----BEGIN ')
  );
}

function isKeyList(value: unknown): boolean {
  if (value === undefined) return true;
  const isMapping = (key: unknown) =>
    typeof key === 'object' && key !== null && !Array.isArray(key);
  return (
    Array.isArray(value) && value.length >= 1 && value.length <= MAX_KEYS && value.every(isMapping)
  );
}
