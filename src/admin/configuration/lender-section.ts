import { z } from 'zod';
import { choice, sha256, wholeNumber } from '../../platform/index.js';
import {
  BINDING_STEPS,
  CREDIT_BUREAUS,
  CREDIT_ENQUIRIES,
  FEES_ON_DECLINE,
  type Lender,
  LENDER_KINDS,
  type LenderLogo,
  OMBUDSMEN,
  type PaymentSettings,
  WEEKDAYS,
} from '../../settings/index.js';
import { contact, namedContact } from './brand-section.js';
import {
  type Deployment,
  decimal,
  differing,
  flag,
  list,
  pattern,
  problem,
  rules,
  section,
  text,
  words,
} from './fields.js';
import { differentWordings, inEnglish, otherLanguagesOf, ownText } from './own-text.js';
import { payment } from './payment-section.js';
import { productTerms, productTermsOf } from './product-terms-section.js';
import { LENDER_LOGO_LIMITS, logo } from './read-logo.js';
import { provider, remote, remoteLenderOf } from './remote-section.js';
import { adapterProblem, REMOTE_ADAPTER } from './serving.js';

const CLAUSE_CHARACTERS = 1_000;
const SHORT_NAME_CHARACTERS = 40;
const MAX_MANDATE_PERCENT = 10_000;
const ONLY_REMOTE = `is only for lenders of the adapter ${REMOTE_ADAPTER}`;
const ONE_SOURCE = 'must be left out: with remote.eligibility the lender is asked instead';
const NO_SIMULATION =
  'must be a real gateway; leave payment out for the simulated gateway, which has no accounts';

const code = pattern(/^[a-z][a-z0-9-]{1,59}$/, 'must be lower-case letters, digits and hyphens');

const clock = pattern(/^([01]\d|2[0-3]):[0-5]\d$/, "must be a time of the day such as '09:30'");

const branch = section({
  id: pattern(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, 'must be up to 64 letters, digits, _ and -'),
  name: text(),
  address: text(),
  latitude: decimal(-90, 90),
  longitude: decimal(-180, 180),
  /** Default: pages refer to the lender. A day may occur twice, as with a break at noon. */
  hours: list(
    section({ days: words(WEEKDAYS, 1), opens: clock, closes: clock }).refine(
      ({ opens, closes }) => opens < closes,
      { path: ['closes'], error: 'must be later than opens' },
    ),
    1,
  ).optional(),
});

const common = {
  code,
  /** The legal name. */
  name: text(),
  /** Required for remote lenders. */
  kind: choice(LENDER_KINDS).optional(),
  /** With the RBI, shown to applicants. */
  registration: text().optional(),
  /** Default: the legal name. */
  shortName: text(SHORT_NAME_CHARACTERS).optional(),
  /** Default: that of its kind. */
  ombudsman: choice(OMBUDSMEN).optional(),
  enabled: flag.default(true),
  grievanceOfficer: namedContact,
  /** Default: the grievance officer. */
  contact: contact.optional(),
  recoveryAgentsClause: ownText(CLAUSE_CHARACTERS),
  grievanceRedressalClause: ownText(CLAUSE_CHARACTERS),
  mayBeTransferred: flag,
  /** Null: the lender itself, or an agent that it names to the borrower. */
  recoveryAgentLsp: text().nullable().default(null),
  /** Default: the consent states that it is unknown. */
  creditReport: section({
    bureaus: words(CREDIT_BUREAUS, 1),
    forOffer: choice(CREDIT_ENQUIRIES),
    afterChoice: choice(CREDIT_ENQUIRIES),
  }).optional(),
  /** After this step no other offer can be chosen. Default: signing. */
  bindsAfter: choice(BINDING_STEPS).optional(),
  /** The highest debit of a mandate, in percent of the instalment. */
  mandateLimitPercent: wholeNumber(100, MAX_MANDATE_PERCENT).optional(),
  /** Default: refunded. */
  feeOnDecline: choice(FEES_ON_DECLINE).optional(),
  /** Their pages open in redirect steps. */
  providers: differing(
    provider,
    'is repeated: the lender has another provider for this step',
    'step',
  ).optional(),
  branches: list(branch).default([]),
  /** By product code. */
  products: z
    .record(z.string(), productTerms, 'must be a mapping by name')
    .refine((products) => Object.keys(products).length > 0, 'must be a mapping by name'),
};

export const lender = (deployment: Deployment, file: string) =>
  section({
    ...common,
    adapter: code.check(rules((adapter) => problem(adapterProblem(adapter, deployment)))),
    logo: logo(file, LENDER_LOGO_LIMITS).optional(),
    remote: remote(deployment).optional(),
    /** For fees of its instant loans; default: the operator's account. */
    payment: payment(deployment, NO_SIMULATION).optional(),
  })
    // Applicants read that an agent is another firm.
    .refine(({ name, recoveryAgentLsp }) => recoveryAgentLsp !== name, {
      path: ['recoveryAgentLsp'],
      error: 'names the lender itself; leave it out if no agent recovers the loan',
    })
    // Applicants must recognise the lender by its legal name.
    .refine(({ name, shortName = '' }) => name.includes(shortName), {
      path: ['shortName'],
      error: 'must be a part of name',
    })
    .check(
      rules(({ adapter, kind, remote: outside, providers }) =>
        adapter === REMOTE_ADAPTER
          ? [
              ...problem(!kind && 'is required here', 'kind'),
              ...problem(!outside && 'is required here', 'remote'),
            ]
          : [
              ...problem(outside && ONLY_REMOTE, 'remote'),
              ...problem(providers?.length && ONLY_REMOTE, 'providers'),
            ],
      ),
      rules(({ remote: outside, products }) =>
        Object.entries(products).flatMap(([product, { eligibility }]) =>
          problem(
            outside?.eligibility && eligibility && ONE_SOURCE,
            'products',
            product,
            'eligibility',
          ),
        ),
      ),
      rules(differentWordings),
    );

export type LenderSection = z.output<ReturnType<typeof lender>>;

export interface LenderSecrets {
  /** Seals its client certificate's key. */
  readonly clientKey: (lenderCode: string, privateKey: string) => string;
  readonly payment: (lenderCode: string, account: PaymentSettings) => string;
}

export function lendersOf(sections: readonly LenderSection[], seal: LenderSecrets): Lender[] {
  return sections.map((lenderSection, position) => {
    const { products, logo: picture, enabled, kind, payment: account, ...rest } = lenderSection;
    const { code: lenderCode, name, adapter, remote: outside, ...terms } = rest;
    const texts = otherLanguagesOf(lenderSection);
    return {
      code: lenderCode,
      position,
      name,
      adapter,
      isEnabled: enabled,
      kind: kind ?? null,
      remote: outside ? remoteLenderOf(outside) : null,
      clientKeySealed: outside?.tls ? seal.clientKey(lenderCode, outside.tls.privateKey) : null,
      paymentSealed: account ? seal.payment(lenderCode, account) : null,
      terms: {
        ...inEnglish(terms),
        products: Object.fromEntries(
          Object.entries(products).map(([product, its]) => [product, productTermsOf(its)]),
        ),
        ...(picture && { logoVersion: sha256(picture.bytes) }),
        ...(Object.keys(texts).length > 0 && { texts }),
      },
    };
  });
}

export function lenderLogosOf(sections: readonly LenderSection[]): LenderLogo[] {
  return sections.flatMap(({ code: lenderCode, logo: picture }) =>
    picture ? [{ lenderCode, version: sha256(picture.bytes), bytes: picture.bytes }] : [],
  );
}
