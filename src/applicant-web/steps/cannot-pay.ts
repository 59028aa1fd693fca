import type { HostedJourneyView, HostedSelection } from '../../journeys/index.js';
import { readIn } from '../../key-facts/index.js';
import { chargeFees } from '../../loans/index.js';
import { formatRupees, type Language, say } from '../../platform/index.js';
import type { UnpaidInterval } from '../../settings/index.js';
import { check } from '../entry/left-behind.js';
import { recoveryFold } from '../offers/confirmed-terms.js';
import { goldFolds } from '../offers/gold-folds.js';
import { type CardRow, shortName } from '../offers/offer-card.js';
import { furtherComplaint } from './further-complaint.js';

const INTERVAL_KEYS: Readonly<Record<UnpaidInterval, string>> = {
  MONTH: 'steps.cannotPay.every.month',
  TIME: 'steps.cannotPay.every.time',
};

/** @throws Error when nothing was chosen */
export function cannotPay({ selected }: Pick<HostedJourneyView, 'selected'>, language: Language) {
  if (!selected) throw new Error('the paid-out loan has no terms');
  const { offer, kfsUrl } = selected;
  const { lenderName, terms } = offer;
  const { part2 } = readIn(selected.statement, language);
  return {
    lenderName,
    shortName: shortName(offer),
    // The grievance officer unless a contact is configured.
    contact: terms.contact ?? terms.grievanceOfficer,
    contactName: terms.contact ? null : terms.grievanceOfficer.name,
    checks: [
      check('phone', 'steps.cannotPay.ask'),
      check('doc', 'steps.cannotPay.written'),
      check('alert', 'steps.cannotPay.only', { lender: lenderName }),
    ],
    costs: costs(selected, language),
    kfsHref: kfsUrl,
    folds: [
      recoveryFold(part2.digitalLoan, lenderName),
      {
        mark: 'score',
        heading: say('steps.cannotPay.bureaus'),
        gist: say('steps.cannotPay.bureaus.gist'),
        texts: [say('steps.cannotPay.bureaus.text')],
      },
      ...goldFolds(terms).slice(1),
    ],
    officer: terms.grievanceOfficer,
    further: furtherComplaint(terms),
  };
}

function costs(selected: HostedSelection, language: Language) {
  const unpaid = unpaidRows(selected, language);
  if (unpaid.length > 0) {
    const instalment = formatRupees(selected.selection.instalment);
    return {
      heading: say('steps.cannotPay.unpaid', { instalment }),
      rows: unpaid,
    };
  }
  const { contingentCharges } = readIn(selected.statement, language).part1;
  return {
    heading: say(contingentCharges.length > 0 ? 'steps.cannotPay.charges' : 'steps.cannotPay.none'),
    rows: contingentCharges.map(({ name, description }) => ({
      label: name,
      value: description,
      isText: true,
    })),
  };
}

/** The statement names charges in English; the offer's terms say when they are due. */
function unpaidRows(selected: HostedSelection, language: Language): CardRow[] {
  const { offer, selection, statement } = selected;
  const { contingentCharges } = statement.part1;
  const said = readIn(statement, language).part1.contingentCharges;
  return (offer.terms.unpaidCharges ?? []).flatMap((charge) => {
    const place = contingentCharges.findIndex(({ name }) => name === charge.name);
    if (place < 0) return [];
    const { name, flat, gstPercent, percentOfInstalment, every } = charge;
    const basis = { name, payee: 'LENDER', flat, gstPercent } as const;
    const [{ amount }] = chargeFees(selection.instalment, [
      { ...basis, percentOfPrincipal: percentOfInstalment },
    ]);
    const shown = say(INTERVAL_KEYS[every], { amount: formatRupees(amount) });
    return [{ label: said[place].name, value: shown }];
  });
}
