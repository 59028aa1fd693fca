import type {
  HostedSessionValue,
  HostedVisits,
  PossibleFee,
  PossibleMandate,
} from '../../journeys/index.js';
import { type Language, Page, translate } from '../../platform/index.js';
import { shortName } from '../offers/offer-card.js';
import { refundText } from '../steps/lined-up-charges.js';
import { type GoldLeft, goldLeft } from '../steps/gold-visit.js';

interface LeftBehind extends GoldLeft {
  readonly mandates: readonly PossibleMandate[];
  /** What becomes of a paid fee. */
  readonly paidFee: CheckMark[];
}

/** A row of `ui/checks`. */
export interface CheckMark {
  readonly mark: string;
  readonly text: string;
  readonly note?: string | null;
}

/** Includes undone choices. */
export async function leftBehind(
  visits: HostedVisits,
  session: HostedSessionValue,
  language: Language,
): Promise<LeftBehind> {
  const { valuations, mandates, fee } = await visits.remains(session);
  return { ...goldLeft(valuations, language), mandates, paidFee: paidFeeRows(fee, language) };
}

export function paidFeeRows(fee: PossibleFee | null, language: Language): CheckMark[] {
  return fee ? [{ mark: 'repeat', text: refundText(fee, shortName(fee), language) }] : [];
}

/** @param wereAsked whether the lenders have the details */
export function stopRows(
  { walkOut, mayBeCharged, paidFee }: Pick<LeftBehind, keyof GoldLeft | 'paidFee'>,
  wereAsked: boolean,
  language: Language,
): CheckMark[] {
  const row = rowIn(language);
  const freeKey = paidFee.length > 0 ? 'entry.owed.nothing' : 'entry.stop.free';
  const free = row('check', mayBeCharged ? 'entry.owed.unvalued' : freeKey);
  return [
    { ...free, note: walkOut },
    ...paidFee,
    row('shield', wereAsked ? 'entry.stop.consent' : 'entry.stop.unasked'),
    ...(wereAsked ? [row('score', 'entry.asked.enquiries')] : []),
    ...goldRows(walkOut, language),
    row('clock', wereAsked ? 'entry.stop.final' : 'entry.stop.again'),
  ];
}

function stoppedRows(left: LeftBehind, wereAsked: boolean, language: Language): CheckMark[] {
  const row = rowIn(language);
  return [
    { mark: 'check', text: owedIn(left, language) },
    ...left.paidFee,
    ...goldRows(left.walkOut, language),
    ...(wereAsked ? [row('score', 'entry.asked.enquiries')] : []),
    row('repeat', 'entry.advice.afresh'),
  ];
}

export function owedIn({ walkOut, mayBeCharged }: GoldLeft, language: Language): string {
  if (walkOut === null) return translate(language, 'entry.owed.nothing');
  const unvalued = mayBeCharged ? [translate(language, 'entry.owed.unvalued')] : [];
  return [translate(language, 'entry.owed.gold'), walkOut, ...unvalued].join(' ');
}

export function goldRows(walkOut: string | null, language: Language): CheckMark[] {
  return walkOut === null ? [] : [rowIn(language)('pin', 'entry.stop.collect')];
}

function rowIn(language: Language) {
  return (mark: string, key: string): CheckMark => ({ mark, text: translate(language, key) });
}

const TEXTS = {
  stopped: { titleKey: 'entry.stopped.title', leadKey: 'entry.stopped.lead' },
  closed: { titleKey: 'entry.closed.title', leadKey: 'entry.closed.lead' },
  unpaid: { titleKey: 'entry.closed.title', leadKey: 'entry.closed.unpaid' },
};

export function stoppedPage(
  how: keyof typeof TEXTS,
  returnUrl: string | null,
  left: LeftBehind,
  wereAsked: boolean,
  language: Language,
): Page {
  return new Page('entry/stopped', {
    titleKey: TEXTS[how].titleKey,
    leadKey: how === 'stopped' && !wereAsked ? 'entry.stop.unasked' : TEXTS[how].leadKey,
    rows: stoppedRows(left, wereAsked, language),
    mandates: left.mandates,
    returnUrl,
  });
}
