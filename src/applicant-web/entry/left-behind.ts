import type {
  HostedSessionValue,
  HostedVisits,
  PossibleFee,
  PossibleMandate,
} from '../../journeys/index.js';
import { joined, Page, say, type Shown, type ShownValues } from '../../platform/index.js';
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
  readonly text: Shown;
  readonly note?: Shown | null;
}

export function check(mark: string, key: string, values?: ShownValues): CheckMark {
  return { mark, text: say(key, values) };
}

/** Includes undone choices. */
export async function leftBehind(
  visits: HostedVisits,
  session: HostedSessionValue,
): Promise<LeftBehind> {
  const { valuations, mandates, fee } = await visits.remains(session);
  return { ...goldLeft(valuations), mandates, paidFee: paidFeeRows(fee) };
}

export function paidFeeRows(fee: PossibleFee | null): CheckMark[] {
  return fee ? [{ mark: 'repeat', text: refundText(fee, shortName(fee)) }] : [];
}

/** @param wereAsked whether the lenders have the details */
export function stopRows(
  { walkOut, mayBeCharged, paidFee }: Pick<LeftBehind, keyof GoldLeft | 'paidFee'>,
  wereAsked: boolean,
): CheckMark[] {
  const freeKey = paidFee.length > 0 ? 'entry.owed.nothing' : 'entry.stop.free';
  const free = check('check', mayBeCharged ? 'entry.owed.unvalued' : freeKey);
  return [
    { ...free, note: walkOut },
    ...paidFee,
    check('shield', wereAsked ? 'entry.stop.consent' : 'entry.stop.unasked'),
    ...(wereAsked ? [check('score', 'entry.asked.enquiries')] : []),
    ...goldRows(walkOut),
    check('clock', wereAsked ? 'entry.stop.final' : 'entry.stop.again'),
  ];
}

function stoppedRows(left: LeftBehind, wereAsked: boolean): CheckMark[] {
  return [
    { mark: 'check', text: owedIn(left) },
    ...left.paidFee,
    ...goldRows(left.walkOut),
    ...(wereAsked ? [check('score', 'entry.asked.enquiries')] : []),
    check('repeat', 'entry.advice.afresh'),
  ];
}

export function owedIn({ walkOut, mayBeCharged }: GoldLeft): Shown {
  if (walkOut === null) return say('entry.owed.nothing');
  const unvalued = mayBeCharged ? say('entry.owed.unvalued') : null;
  return joined([say('entry.owed.gold'), walkOut, unvalued]);
}

export function goldRows(walkOut: Shown | null): CheckMark[] {
  return walkOut === null ? [] : [check('pin', 'entry.stop.collect')];
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
): Page {
  return new Page('entry/stopped', {
    titleKey: TEXTS[how].titleKey,
    leadKey: how === 'stopped' && !wereAsked ? 'entry.stop.unasked' : TEXTS[how].leadKey,
    rows: stoppedRows(left, wereAsked),
    mandates: left.mandates,
    returnUrl,
  });
}
