import type { z } from 'zod';
import { FEE } from '../../journey-steps/index.js';
import { addDays, daysOfLeastWorkingDays, formatRupees } from '../../loans/index.js';
import {
  INSTANT_PRODUCT,
  namesTemplate,
  type SmsKind,
  type SmsSettings,
} from '../../settings/index.js';
import type { Configuration } from './configuration.js';
import { type Deployment, type Problem, problem, repeated } from './fields.js';
import type { LenderSection } from './lender-section.js';
import type { PartnerSection } from './partner-section.js';
import type { ProductSection } from './product-section.js';
import { MIN_OFFER_DAYS } from './product-terms-section.js';
import { REMOTE_ADAPTER, stepsWithoutHost, unservedProblem } from './serving.js';

interface Placed<Section> {
  readonly path: readonly PropertyKey[];
  readonly section: Section;
}

type Issue = Pick<z.core.$ZodRawIssue, 'path' | 'continue'>;

/**
 * Omits a part with a broken field, so that the others are checked.
 * @param file broken parts may be anything
 */
export function problemsBetweenParts(
  file: Configuration,
  issues: readonly Issue[],
  deployment: Deployment,
): Problem[] {
  const isSound = (counts: (issue: Issue) => boolean, ...path: PropertyKey[]) =>
    !issues.some((issue) => {
      const { path: at = [] } = issue;
      const isWithin = path.every((step, index) => index >= at.length || at[index] === step);
      return at.length > 0 && isWithin && counts(issue);
    });
  const isAny = () => true;
  const isBreak = (issue: Issue) => issue.continue !== true;
  const soundItems = <Section>(name: string, sections: readonly Section[], counts = isBreak) =>
    (Array.isArray(sections) ? sections : [])
      .map((section: Section, index) => ({ path: [name, index], section }))
      .filter(({ path }) => isSound(counts, ...path));
  const products = soundItems('products', file.products, isAny);
  const lenders = soundItems('lenders', file.lenders);
  const partners = soundItems('partners', file.partners);
  const settings = isSound(isAny, 'settings') ? file.settings : undefined;
  const sections = products.map(({ section }) => section);
  const codes = codesOf(file.products);
  return [
    ...(isSound(isAny, 'sms') ? templateIdProblems(file.sms, sections, settings) : []),
    ...repeated(textsBelow(lenders, 'branches', 'id'), 'is repeated: another branch has this id'),
    ...lenders.flatMap((lender) => [
      ...termsProblems(lender, sections, codes),
      ...(settings ? offerDaysProblems(lender, settings.bankHolidays ?? []) : []),
      ...(deployment.mode === 'production' ? productionProblems(lender, sections) : []),
    ]),
    ...unservedProblems(products, file.lenders),
    ...repeated(textsBelow(partners, 'keys', 'apiKey'), 'is repeated: another entry has this key'),
    ...partners.flatMap((partner) =>
      keyProblems(partner, codes, isSound(isBreak, 'brand', 'slug') ? file.brand.slug : undefined),
    ),
  ];
}

/** Null when unknown: then no code is refused. */
function codesOf(products: readonly ProductSection[] | undefined): ReadonlySet<string> | null {
  if (!Array.isArray(products) || products.length === 0) return null;
  const codes = products.map((product: ProductSection | null) => product?.code);
  const texts = codes.filter((code) => typeof code === 'string');
  return texts.length === codes.length ? new Set(texts) : null;
}

/** Operators drop texts without a DLT id. Hindi needs none: it is sent in English, except milestones. */
function templateIdProblems(
  { gateway, dlt, templateIds }: SmsSettings,
  products: readonly ProductSection[],
  settings: Configuration['settings'] | undefined,
): Problem[] {
  if (gateway.kind !== 'http' || !dlt || !namesTemplate(gateway)) return [];
  const taken = products.filter(({ channel, enabled }) => channel === 'ONLINE' && enabled);
  const isInstant = ({ code }: ProductSection) => code === INSTANT_PRODUCT;
  const kinds: SmsKind[] = [];
  if (!taken.every(isInstant)) {
    kinds.push('HOSTED_LINK', 'ONE_TIME_CODE', ...(settings?.milestoneTexts ?? []));
  }
  if (taken.some(isInstant)) kinds.push('APPLICATION_LINK');
  if (taken.some(hasFee)) kinds.push('REFUND_MADE');
  return kinds.flatMap((kind) =>
    problem(
      templateIds[kind] === undefined &&
        'is required here: the gateway needs the DLT id of each text',
      'sms',
      'templateIds',
      kind,
    ),
  );
}

function hasFee({ code, steps }: ProductSection): boolean {
  return code === INSTANT_PRODUCT || steps.includes(FEE.name);
}

function textsBelow<List extends string, Key extends string>(
  parts: readonly Placed<Record<List, readonly Record<Key, string>[]>>[],
  list: List,
  key: Key,
) {
  return parts.flatMap(({ path, section }) =>
    section[list].map((one, index) => ({ path: [...path, list, index, key], text: one[key] })),
  );
}

function termsProblems(
  { path, section }: Placed<LenderSection>,
  products: readonly ProductSection[],
  codes: ReadonlySet<string> | null,
): Problem[] {
  return Object.entries(section.products).flatMap(([code, terms]) => {
    const at = [...path, 'products', code];
    if (codes && !codes.has(code)) return problem('is not a product of the catalogue', ...at);
    const product = products.find((one) => one.code === code);
    if (!product) return [];
    const { minimumAmount, maximumAmount, steps } = product;
    const isApart = terms.minimumAmount > maximumAmount || terms.maximumAmount < minimumAmount;
    const isGold = steps.includes('BRANCH');
    return [
      ...problem(
        isApart &&
          terms.minimumAmount <= terms.maximumAmount &&
          `must overlap the product's amounts, ${formatRupees(minimumAmount)} to ${formatRupees(maximumAmount)}`,
        ...at,
        'minimumAmount',
      ),
      ...problem(isGold && !terms.gold && 'is required for this product', ...at, 'gold'),
      ...problem(
        isGold &&
          section.branches.length === 0 &&
          'needs at least one branch: the product has the step BRANCH',
        ...at,
      ),
    ];
  });
}

function offerDaysProblems(
  { path, section }: Placed<LenderSection>,
  holidays: readonly string[],
): Problem[] {
  const { least, from } = minOfferDays(new Set(holidays));
  return Object.entries(section.products).flatMap(([code, { offerValidDays }]) =>
    problem(
      offerValidDays < least &&
        `must be at least ${least}: because of bank holidays, fewer days after ${from} include fewer than three working days`,
      ...path,
      'products',
      code,
      'offerValidDays',
    ),
  );
}

// A week without a holiday has five working days, so only starts in the week before a holiday matter.
const DAYS_AHEAD = 7;

/** The days that always contain enough working days, and the worst start. */
function minOfferDays(holidays: ReadonlySet<string>): { least: number; from: string } {
  let worst = { least: MIN_OFFER_DAYS, from: '' };
  for (const holiday of holidays) {
    for (let ahead = 1; ahead <= DAYS_AHEAD; ahead += 1) {
      const from = addDays(holiday, -ahead);
      const least = daysOfLeastWorkingDays(from, holidays);
      if (least > worst.least) worst = { least, from };
    }
  }
  return worst;
}

/** A redirect step needs its host, and a fee the lender's account. */
function productionProblems(
  { path, section }: Placed<LenderSection>,
  products: readonly ProductSection[],
): Problem[] {
  const { adapter, enabled, payment, providers = [], products: terms } = section;
  if (!enabled) return [];
  const served = Object.keys(terms);
  const missing = stepsWithoutHost({ providers, products: served }, products.map(servedOf));
  const withFee = products.find(
    (product) => product.enabled && hasFee(product) && served.includes(product.code),
  );
  return [
    ...problem(
      adapter === REMOTE_ADAPTER &&
        missing.length > 0 &&
        `must name the provider (step, name, host) of ${missing.join(', ')}: its products have these steps`,
      ...path,
      'providers',
    ),
    ...problem(
      !payment &&
        withFee &&
        `is required here: the fee of ${withFee.code} goes into the lender's own account`,
      ...path,
      'payment',
    ),
  ];
}

function servedOf({ enabled, ...product }: ProductSection) {
  return { ...product, isEnabled: enabled };
}

/** A lender with a broken field counts as serving the products that it names. */
function unservedProblems(
  products: readonly Placed<ProductSection>[],
  lenders: readonly LenderSection[],
): Problem[] {
  const areReadable =
    Array.isArray(lenders) &&
    lenders.every((lender: LenderSection | null) => typeof lender?.products === 'object');
  if (!areReadable) return [];
  const serving = lenders.map(({ enabled, products: terms }: LenderSection) => ({
    isEnabled: enabled,
    products: Object.keys(terms),
  }));
  const unserved = products.flatMap(({ path, section }) =>
    problem(unservedProblem(servedOf(section), serving), ...path),
  );
  return [
    ...problem(
      unserved.length > 0 &&
        lenders.length === 0 &&
        'must not be empty: enabled products need a lender',
      'lenders',
    ),
    ...unserved,
  ];
}

function keyProblems(
  { path, section }: Placed<PartnerSection>,
  codes: ReadonlySet<string> | null,
  slug: string | undefined,
): Problem[] {
  const otherSlug = (text: string) =>
    slug !== undefined &&
    !text.startsWith(`${slug}_`) &&
    `must begin with the slug of the brand, ${slug}_`;
  return section.keys.flatMap(({ products, apiKey, apiSecret }, index) => {
    const at = [...path, 'keys', index];
    return [
      ...problem(otherSlug(apiKey), ...at, 'apiKey'),
      ...problem(otherSlug(apiSecret), ...at, 'apiSecret'),
      ...products.flatMap((code, place) =>
        problem(
          codes && !codes.has(code) && 'is not a product of the catalogue',
          ...at,
          'products',
          place,
        ),
      ),
    ];
  });
}
