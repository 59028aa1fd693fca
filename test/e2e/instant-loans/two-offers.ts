import {
  ApplicantBrowser,
  type CreatedInstantLoan,
  hiddenIn,
  paymentFormOf,
} from '../../support/instant-loans.js';
import { JOURNEY } from './instant-loan-bench.js';
import { DECLINED, type LoggedOffer, type OfferStage } from './offer-stage.js';

export type Loan = CreatedInstantLoan & { id: string };

/** None is chosen. Navdhara's offer has the lowest APR, kaverisetu's the lowest total. */
export async function offerTwo(stage: OfferStage): Promise<Loan> {
  const loan = await stage.create();
  const [lowest, cheapest] = [over(stage, 12, 20, 60_000), over(stage, 3, 30, 30_000)];
  await stage.tellAll(loan.id, lowest, cheapest, DECLINED);
  return loan;
}

/** The same, with navdhara's offer chosen. */
export async function chooseOfTwo(stage: OfferStage): Promise<Loan> {
  const loan = await offerTwo(stage);
  await new ApplicantBrowser().openToPay(loan.redirectUrl);
  return loan;
}

/** The figures that a card tags as the lowest. */
export function lowestIn(card: string): string[] {
  const rows = card.matchAll(/<dt>([^<]+)<\/dt><dd>[^<]+<span class="tag">/g);
  return [...rows].map(([, label]) => label);
}

/** An offer for 25,000 rupees: months, percent a year, paise. */
function over(stage: OfferStage, tenureMonths: number, annualRatePercent: number, fee: number) {
  return stage.offering(fee, { tenureMonths, annualRatePercent });
}

/** What the payment page's button sends with the box ticked. */
export async function payForm(
  browser: ApplicantBrowser,
  { redirectUrl }: Pick<Loan, 'redirectUrl'>,
) {
  const { text } = await browser.open(redirectUrl);
  return { ...hiddenIn(paymentFormOf(text)!), hasRead: '1' };
}

/** Offer ids by lender. */
export async function offerIds({ bench }: OfferStage, id: string): Promise<Record<string, string>> {
  const rows = await bench.records.query<{ code: string; id: string }>(
    `SELECT lender_code AS code, id FROM journey_offers WHERE journey_id IN (${JOURNEY})`,
    [id],
  );
  return Object.fromEntries(rows.map((row) => [row.code, row.id]));
}

/** The matching log of an application, oldest first. */
export async function logOf({ bench }: OfferStage, id: string) {
  const rows = await bench.records.query<{
    id: string;
    kind: string;
    metric: string;
    language: string;
    content: string;
  }>(
    `SELECT id, kind, metric, language, content FROM offer_presentations
     WHERE subject_id IN (${JOURNEY}) ORDER BY recorded_at, id`,
    [id],
  );
  return rows.map(({ content, ...row }) => ({
    ...row,
    ...(JSON.parse(content) as {
      presentationId?: string;
      offerId?: string;
      lenderCode?: string;
      offers?: LoggedOffer[];
      figures?: { processingFees: number };
    }),
  }));
}

/** Makes an offer expire after this time. @returns when */
export async function endsIn(stage: OfferStage, ms: number, offerId: string): Promise<Date> {
  const end = new Date(stage.bench.service.now().getTime() + ms);
  await stage.bench.records.query('UPDATE journey_offers SET valid_until = $2 WHERE id = $1', [
    offerId,
    end,
  ]);
  return end;
}

/** Has its lender keep the fee also when it declines. */
export function keepsFee({ bench }: OfferStage, offerId: string) {
  const terms = `terms || '{"feeOnDecline": "KEPT"}'`;
  return bench.records.query(`UPDATE journey_offers SET terms = ${terms} WHERE id = $1`, [offerId]);
}

export async function auditOf({ bench }: OfferStage, id: string, trigger: string) {
  return bench.records.query<{ detail: Record<string, unknown> }>(
    `SELECT detail FROM journey_audit
     WHERE journey_id IN (${JOURNEY}) AND trigger = $2 ORDER BY id`,
    [id, trigger],
  );
}
