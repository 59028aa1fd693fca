import { REDIRECT_STEPS, type RedirectStep } from '../../journey-steps/index.js';
import {
  ChoiceField,
  MAX_ADDRESS_CHARACTERS,
  PatternField,
  Rule,
  TextField,
} from '../../platform/index.js';
import type { RemoteLender } from '../../settings/index.js';
import { isMapping, PartField, WholeNumberField, WordsField } from './fields.js';

const optional = true;
const MAX_KEYS = 2;
const MAX_PEM_CHARACTERS = 20_000;
const PEM_MESSAGE = 'must be PEM: -----BEGIN …';
const MAX_CALLS_PER_SECOND = 1_000;
const MAX_CALLS_AT_ONCE = 256;

const CALLS_PER_SECOND = 20;
const CALLS_AT_ONCE = 32;

// No punycode: the address bar would show another spelling.
export const HOST =
  /^(?=.{1,253}$)(?!(?:.*\.)?xn--)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/;
export const NO_HOST = 'must be a host name, such as kyc.example.in';

export class ProviderSection {
  @ChoiceField(REDIRECT_STEPS)
  step: RedirectStep;

  /** As applicants read it. */
  @TextField()
  name: string;

  /** The host of its pages; a session elsewhere is refused. */
  @PatternField(HOST, NO_HOST)
  host: string;
}

/** For each replica. */
class RemoteLimitsSection {
  @WholeNumberField({ least: 1, most: MAX_CALLS_PER_SECOND, optional })
  callsPerSecond?: number;

  @WholeNumberField({ least: 1, most: MAX_CALLS_AT_ONCE, optional })
  callsAtOnce?: number;
}

export class ClientTlsSection {
  @Rule('pem', isPem, PEM_MESSAGE)
  certificate: string;

  @Rule('pem', isPem, PEM_MESSAGE)
  privateKey: string;
}

/** A lender that speaks RLP/1. */
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

/** Without the private key, which is sealed separately. */
export function remoteLenderOf(section: RemoteSection): RemoteLender {
  const { address, keys, jwks, limits, covers, tls } = section;
  return {
    // As in the lender's own requests: the signature covers it.
    address: new URL(address).href.replace(/\/+$/, ''),
    keys:
      jwks === undefined ? { kind: 'PINNED', keys: keys ?? [] } : { kind: 'JWKS', address: jwks },
    limits: {
      callsPerSecond: limits?.callsPerSecond ?? CALLS_PER_SECOND,
      callsAtOnce: limits?.callsAtOnce ?? CALLS_AT_ONCE,
    },
    covers: covers ?? null,
    certificate: tls?.certificate ?? null,
  };
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
  return (
    Array.isArray(value) && value.length >= 1 && value.length <= MAX_KEYS && value.every(isMapping)
  );
}
