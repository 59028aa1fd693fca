import { rupeesToPaise } from '../loans/index.js';
import type { Tx } from '../platform/index.js';
import type { LenderSection } from './configuration/lender-section.js';
import { lenderTermsOf } from './configuration/lender-terms-of.js';
import type { ProductSection } from './configuration/product-section.js';

/**
 * Brings the products to what the file says. One that left the file is switched off: journeys and
 * applications speak of it.
 * @returns how many changed
 */
export async function writeProducts(tx: Tx, products: readonly ProductSection[]): Promise<number> {
  const rows = products.map((product, position) => ({
    code: product.code,
    position,
    display_name: product.displayName,
    category: product.category,
    channel: product.channel,
    provider: product.provider,
    icon: product.icon,
    is_enabled: product.enabled ?? true,
    steps: product.steps ?? [],
    minimum_amount: rupeesToPaise(product.minimumAmount),
    maximum_amount: rupeesToPaise(product.maximumAmount),
    default_amount: rupeesToPaise(product.defaultAmount),
  }));
  const written = await tx.execute(UPSERT_PRODUCTS, [JSON.stringify(rows)]);
  const codes = rows.map(({ code }) => code);
  return written + (await tx.execute(DISABLE_OTHER_PRODUCTS, [codes]));
}

/**
 * Brings the lenders to what the file says. One that left the file is switched off: offers speak of
 * it, and the journeys that chose it go on with it.
 * @returns how many changed
 */
export async function writeLenders(tx: Tx, lenders: readonly LenderSection[]): Promise<number> {
  const rows = lenders.map((lender, position) => ({
    code: lender.code,
    position,
    name: lender.name,
    adapter: lender.adapter,
    is_enabled: lender.enabled ?? true,
    terms: lenderTermsOf(lender),
  }));
  const written = await tx.execute(UPSERT_LENDERS, [JSON.stringify(rows)]);
  const codes = rows.map(({ code }) => code);
  return written + (await tx.execute(DISABLE_OTHER_LENDERS, [codes]));
}

// A row that is as the file has it is not written, so that applying a file again changes nothing.
const UPSERT_PRODUCTS = `
  INSERT INTO products AS kept (code, position, display_name, category, channel, provider, icon,
    is_enabled, steps, minimum_amount, maximum_amount, default_amount)
  SELECT code, position, display_name, category, channel, provider, icon,
    is_enabled, steps, minimum_amount, maximum_amount, default_amount
  FROM jsonb_populate_recordset(NULL::products, $1)
  ON CONFLICT (code) DO UPDATE SET
    position = excluded.position, display_name = excluded.display_name,
    category = excluded.category, channel = excluded.channel, provider = excluded.provider,
    icon = excluded.icon, is_enabled = excluded.is_enabled, steps = excluded.steps,
    minimum_amount = excluded.minimum_amount, maximum_amount = excluded.maximum_amount,
    default_amount = excluded.default_amount
  WHERE (kept.*) IS DISTINCT FROM (excluded.*)`;

const DISABLE_OTHER_PRODUCTS = `
  UPDATE products SET is_enabled = false WHERE is_enabled AND code <> ALL ($1)`;

const UPSERT_LENDERS = `
  INSERT INTO lenders AS kept (code, position, name, adapter, is_enabled, terms)
  SELECT code, position, name, adapter, is_enabled, terms
  FROM jsonb_populate_recordset(NULL::lenders, $1)
  ON CONFLICT (code) DO UPDATE SET
    position = excluded.position, name = excluded.name, adapter = excluded.adapter,
    is_enabled = excluded.is_enabled, terms = excluded.terms
  WHERE (kept.*) IS DISTINCT FROM (excluded.*)`;

const DISABLE_OTHER_LENDERS = `
  UPDATE lenders SET is_enabled = false WHERE is_enabled AND code <> ALL ($1)`;
