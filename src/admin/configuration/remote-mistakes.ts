import { createPrivateKey, X509Certificate } from 'node:crypto';
import { type JourneyStep, REDIRECT_STEPS, type RedirectStep } from '../../journey-steps/index.js';
import { publicJwkProblems } from '../../lender-api/index.js';
import {
  addressProblem,
  type FieldProblem,
  type Reach,
  SystemClock,
} from '../../platform/index.js';
import type { RemoteLender } from '../../settings/index.js';
import type { Deployment } from './configuration.js';
import type { LenderSection } from './lender-section.js';
import type { ProductSection } from './product-section.js';
import { mistake, type Placed, repeated } from './placed.js';
import type { ClientTlsSection, RemoteSection } from './remote-section.js';

/** The connector of lenders outside the process. */
const REMOTE_ADAPTER = 'rlp';

interface PlacedRemote {
  readonly path: string;
  readonly adapter: string;
  readonly remote: RemoteLender | null;
}

/** A lender whose pages applicants visit. */
interface VisitedLender {
  readonly providers: readonly { readonly step: RedirectStep }[];
  /** Product codes. */
  readonly products: readonly string[];
}

interface VisitedProduct {
  readonly code: string;
  readonly isEnabled: boolean;
  readonly steps: readonly JourneyStep[];
}

export function remoteMistakes(
  { path, section }: Placed<LenderSection>,
  reach: Reach,
): FieldProblem[] {
  const { adapter, remote, kind } = section;
  const field = `${path}.remote`;
  if (adapter !== REMOTE_ADAPTER) {
    const message = `is for lenders of the adapter ${REMOTE_ADAPTER} alone`;
    return remote ? mistake(field, message) : [];
  }
  const noKind = kind ? [] : mistake(`${path}.kind`, 'is required here');
  if (!remote) return [...noKind, { field, message: 'is required here' }];
  return [
    ...noKind,
    ...addressMistakes(`${field}.address`, remote.address, reach),
    ...keyMistakes(field, remote, reach),
    ...(remote.tls ? certificateMistakes(`${field}.tls`, remote.tls) : []),
  ];
}

/** In production each redirect step needs a host: applicants are sent to no other. */
export function providerMistakes(
  { path, section }: Placed<LenderSection>,
  products: readonly ProductSection[],
  { mode }: Pick<Deployment, 'mode'>,
): FieldProblem[] {
  const { adapter, providers = [] } = section;
  const field = `${path}.providers`;
  if (adapter !== REMOTE_ADAPTER && providers.length > 0) {
    return mistake(field, `is for lenders of the adapter ${REMOTE_ADAPTER} alone`);
  }
  const steps = providers.map(({ step }, index) => ({
    path: `${field}[${index}].step`,
    text: step,
  }));
  return [
    ...repeated(steps, 'stands twice: the lender has another provider for this step'),
    ...(adapter === REMOTE_ADAPTER && mode === 'production'
      ? unnamedHosts(field, section, products)
      : []),
  ];
}

function unnamedHosts(
  field: string,
  { enabled, providers = [], products: terms }: LenderSection,
  products: readonly ProductSection[],
): FieldProblem[] {
  if (enabled === false) return [];
  const missing = stepsWithoutHost(
    { providers, products: [...terms.keys()] },
    products.map(({ code, enabled: isEnabled = true, steps = [] }) => ({ code, isEnabled, steps })),
  );
  if (missing.length === 0) return [];
  const message = `must name the provider (step, name, host) of ${missing.join(', ')}: its products have these steps`;
  return mistake(field, message);
}

/** What the sandbox applied may lack hosts. */
export function unnamedHostsInForce(
  { path, adapter, ...lender }: PlacedRemote & VisitedLender,
  products: readonly VisitedProduct[],
): string[] {
  if (adapter !== REMOTE_ADAPTER) return [];
  return stepsWithoutHost(lender, products).map(
    (step) => `${path}.providers names no host for ${step}: no applicant can start this step`,
  );
}

function stepsWithoutHost(
  { providers, products: served }: VisitedLender,
  products: readonly VisitedProduct[],
): RedirectStep[] {
  const visited = products.filter(({ code, isEnabled }) => isEnabled && served.includes(code));
  return REDIRECT_STEPS.filter(
    (step) =>
      visited.some(({ steps }) => steps.includes(step)) &&
      !providers.some((provider) => provider.step === step),
  );
}

/** Another build or deployment may have applied what is in force. */
export function remoteInForceMistakes(
  { path, adapter, remote }: PlacedRemote,
  reach: Reach,
): FieldProblem[] {
  if (adapter !== REMOTE_ADAPTER) return [];
  const field = `${path}.remote`;
  if (!remote) return mistake(field, 'is required here');
  const { address, keys } = remote;
  return [
    ...addressMistakes(`${field}.address`, address, reach),
    ...(keys.kind === 'JWKS' ? addressMistakes(`${field}.jwks`, keys.address, reach) : []),
  ];
}

function addressMistakes(field: string, address: string, reach: Reach): FieldProblem[] {
  // The signature covers the address without a query.
  const query = address.includes('?') ? 'must not have a query' : null;
  const message = addressProblem(address, reach) ?? query;
  return mistake(field, message);
}

function keyMistakes(path: string, { keys, jwks }: RemoteSection, reach: Reach): FieldProblem[] {
  if ((keys === undefined) === (jwks === undefined)) {
    return mistake(path, 'needs keys or jwks, one of the two');
  }
  if (jwks !== undefined) return addressMistakes(`${path}.jwks`, jwks, reach);
  const named = (keys ?? []).map((key, index) => ({
    path: `${path}.keys[${index}].kid`,
    text: String(key.kid),
  }));
  return [
    ...(keys ?? []).flatMap((key, index) => {
      const [problem] = publicJwkProblems(key);
      return mistake(`${path}.keys[${index}]`, problem && `is no public key: ${problem}`);
    }),
    ...repeated(named, 'stands twice: another key has this name'),
  ];
}

function certificateMistakes(
  path: string,
  { certificate, privateKey }: ClientTlsSection,
): FieldProblem[] {
  const shown = attempt(() => new X509Certificate(certificate));
  const key = attempt(() => createPrivateKey(privateKey));
  if (!shown) return mistake(`${path}.certificate`, 'must be a certificate as PEM');
  if (!key) return mistake(`${path}.privateKey`, 'must be a private key as PEM');
  if (!shown.checkPrivateKey(key)) {
    return mistake(`${path}.privateKey`, 'is not the key of the certificate');
  }
  const now = new SystemClock().now();
  const from = shown.validFromDate;
  const to = shown.validToDate;
  if (now >= from && now <= to) return [];
  const message = `is valid from ${from.toISOString()} to ${to.toISOString()} alone`;
  return mistake(`${path}.certificate`, message);
}

function attempt<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch {
    return null;
  }
}
