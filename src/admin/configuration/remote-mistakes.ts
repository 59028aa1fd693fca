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
import type { Deployment } from './deployment.js';
import type { LenderSection } from './lender-section.js';
import type { ProductSection } from './product-section.js';
import { type Placed, repeated } from './placed.js';
import type { ClientTlsSection, RemoteSection } from './remote-section.js';

/** The adapter of lenders outside the process. */
const REMOTE_ADAPTER = 'rlp';

/** A lender in force, and where it is named. */
interface PlacedRemote {
  readonly path: string;
  readonly adapter: string;
  readonly remote: RemoteLender | null;
}

/** A lender whose pages applicants visit for the steps of its products. */
interface VisitedLender {
  readonly providers: readonly { readonly step: RedirectStep }[];
  /** Their codes. */
  readonly products: readonly string[];
}

interface VisitedProduct {
  readonly code: string;
  readonly isEnabled: boolean;
  readonly steps: readonly JourneyStep[];
}

/** What is wrong with how a lender outside the process is reached. */
export function remoteMistakes(
  { path, section }: Placed<LenderSection>,
  reach: Reach,
): FieldProblem[] {
  const { adapter, remote, kind } = section;
  const field = `${path}.remote`;
  if (adapter !== REMOTE_ADAPTER) {
    const message = `is for lenders of the adapter ${REMOTE_ADAPTER} alone`;
    return remote ? [{ field, message }] : [];
  }
  const noKind = kind ? [] : [{ field: `${path}.kind`, message: 'is required here' }];
  if (!remote) return [...noKind, { field, message: 'is required here' }];
  return [
    ...noKind,
    ...addressMistakes(`${field}.address`, remote.address, reach),
    ...keyMistakes(field, remote, reach),
    ...(remote.tls ? certificateMistakes(`${field}.tls`, remote.tls) : []),
  ];
}

/**
 * What is wrong with whose pages its redirect steps are said to be on; the sandbox's are our own. In production each
 * redirect step of a product that it serves has one: applicants are sent to no other host.
 */
export function providerMistakes(
  { path, section }: Placed<LenderSection>,
  products: readonly ProductSection[],
  { mode }: Pick<Deployment, 'mode'>,
): FieldProblem[] {
  const { adapter, providers = [] } = section;
  const field = `${path}.providers`;
  if (adapter !== REMOTE_ADAPTER && providers.length > 0) {
    return [{ field, message: `is for lenders of the adapter ${REMOTE_ADAPTER} alone` }];
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
  return [{ field, message }];
}

/** One warning for each redirect step for which a lender in force names no host: the sandbox, which may have applied it, needs none. */
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

/** How a lender outside the process is reached, of what is in force: another build, or another deployment, may have applied it. */
export function remoteInForceMistakes(
  { path, adapter, remote }: PlacedRemote,
  reach: Reach,
): FieldProblem[] {
  if (adapter !== REMOTE_ADAPTER) return [];
  const field = `${path}.remote`;
  if (!remote) return [{ field, message: 'is required here' }];
  const { address, keys } = remote;
  return [
    ...addressMistakes(`${field}.address`, address, reach),
    ...(keys.kind === 'JWKS' ? addressMistakes(`${field}.jwks`, keys.address, reach) : []),
  ];
}

function addressMistakes(field: string, address: string, reach: Reach): FieldProblem[] {
  const problem = lenderAddressProblem(address, reach);
  return problem === null ? [] : [{ field, message: problem }];
}

function lenderAddressProblem(address: string, reach: Reach): string | null {
  // The signature covers the address without a query.
  return addressProblem(address, reach) ?? (address.includes('?') ? 'must not have a query' : null);
}

function keyMistakes(path: string, { keys, jwks }: RemoteSection, reach: Reach): FieldProblem[] {
  if ((keys === undefined) === (jwks === undefined)) {
    return [{ field: path, message: 'needs keys or jwks, one of the two' }];
  }
  if (jwks !== undefined) return addressMistakes(`${path}.jwks`, jwks, reach);
  const named = (keys ?? []).map((key, index) => ({
    path: `${path}.keys[${index}].kid`,
    text: String(key.kid),
  }));
  return [
    ...(keys ?? []).flatMap((key, index) => {
      const [problem] = publicJwkProblems(key);
      return problem === undefined
        ? []
        : [{ field: `${path}.keys[${index}]`, message: `is no public key: ${problem}` }];
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
  if (!shown) return [{ field: `${path}.certificate`, message: 'must be a certificate as PEM' }];
  if (!key) return [{ field: `${path}.privateKey`, message: 'must be a private key as PEM' }];
  if (!shown.checkPrivateKey(key)) {
    return [{ field: `${path}.privateKey`, message: 'is not the key of the certificate' }];
  }
  const now = new SystemClock().now();
  const from = shown.validFromDate;
  const to = shown.validToDate;
  if (now >= from && now <= to) return [];
  const message = `is valid from ${from.toISOString()} to ${to.toISOString()} alone`;
  return [{ field: `${path}.certificate`, message }];
}

function attempt<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch {
    return null;
  }
}
