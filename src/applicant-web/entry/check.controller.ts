import { Controller, Get } from '@nestjs/common';
import { type HostedApplicant, HostedConfirmation, HostedReader } from '../../journeys/index.js';
import {
  enteredIn,
  formatRupees,
  FormPost,
  Page,
  say,
  sayDate,
  type SeeOther,
  type Shown,
} from '../../platform/index.js';
import { ServiceSettings } from '../../settings/index.js';
import { row, sayOwn } from '../offers/offer-card.js';
import {
  ALL_DETAILS,
  CHECK,
  questionOf,
  requireScreen,
  stopHref,
  TO_CURRENT_SCREEN,
} from './current-screen.js';
import { EMPLOYMENT_LABELS, GENDER_LABELS } from './detail-forms.js';
import { CurrentVisit, JourneyHere, type JourneyVisit, SignedIn, type Visit } from './signed-in.js';

/** Only this page's button asks the lenders. */
@Controller('hosted/check')
@SignedIn()
export class CheckController {
  constructor(
    private readonly confirmation: HostedConfirmation,
    private readonly reader: HostedReader,
    private readonly settings: ServiceSettings,
  ) {}

  @Get()
  show(@JourneyHere() visit: JourneyVisit): Promise<Page> {
    return this.page(visit, false);
  }

  @FormPost()
  async confirm(@CurrentVisit() visit: Visit): Promise<Page | SeeOther> {
    const { shown = '' } = enteredIn(visit.request);
    const outcome = await this.confirmation.confirm(visit.session, shown);
    if (outcome !== 'DETAILS_CHANGED') return TO_CURRENT_SCREEN;
    // Another tab changed the details; the applicant must read them first.
    const view = await this.reader.read(visit.session);
    requireScreen(view, CHECK);
    return this.page({ view }, true);
  }

  private async page({ view }: Pick<JourneyVisit, 'view'>, hasChanged: boolean): Promise<Page> {
    const { goldOrnamentGrams, goldCoinGrams } = await this.settings.operating();
    const { applicant } = view;
    return new Page('entry/check', {
      titleKey: 'entry.check.title',
      question: questionOf(view, 'check'),
      product: sayOwn(view.productTexts, view.productName),
      amount: formatRupees(view.loanAmount),
      ...(applicant && checkRows(applicant)),
      goldLimits: say('entry.check.goldLimits', {
        ornaments: goldOrnamentGrams.toLocaleString('en-IN'),
        coins: goldCoinGrams.toLocaleString('en-IN'),
      }),
      changeHref: ALL_DETAILS,
      stopHref: stopHref(view),
      shown: view.detailsHash,
      hasChanged,
    });
  }
}

/** `given` can be changed here, `fixed` came from the partner's app. */
function checkRows(applicant: HostedApplicant) {
  const { fullName, gender, employmentType, pinCode, maskedMobile, maskedPan, dob, gold } =
    applicant;
  return {
    given: [
      row('entry.check.name', fullName ?? ''),
      row('entry.gender', gender ? say(GENDER_LABELS[gender]) : ''),
      row('entry.check.employment', employmentType ? say(EMPLOYMENT_LABELS[employmentType]) : ''),
      row('entry.check.income', incomeOf(applicant)),
      row('entry.pinCode', pinCode ?? ''),
    ],
    fixed: [
      row('entry.check.mobile', maskedMobile),
      row('entry.check.pan', maskedPan),
      row('entry.check.dob', dob === null ? '' : sayDate(dob)),
    ],
    ...(gold && {
      gold: [
        row('entry.check.jewellery', gold.jewelleryList.join(', ')),
        row('entry.check.weight', say('entry.check.grams', { grams: gold.grams })),
      ],
    }),
  };
}

function incomeOf({ monthlyIncome, annualIncome }: HostedApplicant): Shown {
  if (monthlyIncome !== null) {
    return say('entry.check.aMonth', { amount: formatRupees(monthlyIncome) });
  }
  if (annualIncome === null) return '';
  return say('entry.check.aYear', { amount: formatRupees(annualIncome) });
}
