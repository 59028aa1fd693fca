import { Controller, Get } from '@nestjs/common';
import { BANK_ACCOUNT } from '../../journey-steps/index.js';
import {
  HostedJourneys,
  type HostedJourneyView,
  type HostedSessionValue,
} from '../../journeys/index.js';
import {
  type Entered,
  enteredIn,
  type FormError,
  FormPost,
  Page,
  readForm,
  SeeOther,
} from '../../platform/index.js';
import { readAt, requireStamp } from '../entry/current-screen.js';
import { CURRENT_SCREEN } from '../entry/screen-redirect.js';
import { CurrentVisit, SignedIn, type Visit } from '../entry/signed-in.js';
import { shortName } from '../short-names.js';
import { BankAccountForm, refusedAccount, typedBefore, typedBranch } from './bank-account-form.js';
import type { BankBranch } from './bank-branch.js';
import { questionPage, takeAction } from './step-pages.js';

const PATH = '/hosted/bank-account';

@Controller(PATH)
@SignedIn()
export class BankAccountController {
  constructor(private readonly hosted: HostedJourneys) {}

  @Get()
  async show(@CurrentVisit() { session }: Visit): Promise<Page> {
    return accountPage(await readAt(this.hosted, session, PATH));
  }

  @FormPost()
  async submit(@CurrentVisit() { session, request }: Visit): Promise<Page | SeeOther> {
    const view = await readAt(this.hosted, session, PATH);
    const { shown, ifscShown } = enteredIn(request);
    requireStamp(view, shown);
    const form = readForm(request, BankAccountForm);
    const bank = await typedBranch(request);
    if (!form.isValid) {
      const entered = typedBefore(form.entered);
      return accountPage(view, { errors: form.errors, entered, bank });
    }
    // The applicant must see the branch before the account is sent.
    if (ifscShown !== form.value.ifscCode) {
      return accountPage(view, { entered: form.entered, bank, isToCheck: true });
    }
    const { accHolderName, acctype, accNo, ifscCode } = form.value;
    const outcome = await takeAction(this.hosted, session, view, {
      kind: 'SUBMIT_BANK_ACCOUNT',
      payload: { accHolderName, acctype, accNo, ifscCode },
      retryHref: PATH,
    });
    if (outcome === 'TAKEN') return new SeeOther(CURRENT_SCREEN);
    return outcome === 'REFUSED' ? this.refusal(session, form.entered, bank) : outcome;
  }

  /** For the page's script, while the IFSC is typed. */
  @FormPost('branch')
  async branch(@CurrentVisit() { session, request }: Visit): Promise<Page> {
    await readAt(this.hosted, session, PATH);
    return new Page('steps/bank-branch', {
      titleKey: 'steps.account.check',
      languageReturn: PATH,
      bank: await typedBranch(request),
    });
  }

  /** Reads the journey again: the refusal was counted. */
  private async refusal(
    session: HostedSessionValue,
    entered: Entered,
    bank: BankBranch | null,
  ): Promise<Page> {
    const view = await readAt(this.hosted, session, PATH);
    const errors = [refusedAccount(triesLeft(view))];
    return accountPage(view, { errors, entered: typedBefore(entered), bank });
  }
}

interface SentForm {
  readonly errors?: readonly FormError[];
  readonly entered: Entered;
  readonly bank: BankBranch | null;
  /** Valid, but the branch was not shown yet. */
  readonly isToCheck?: boolean;
}

function accountPage(view: HostedJourneyView, sent?: SentForm): Page {
  const { offer, selection } = view.selected ?? {};
  return questionPage(view, 'bank-account', 'steps/bank-account', {
    titleKey: 'steps.account.title',
    scripts: ['bank-branch.js'],
    ...sent,
    netDisbursed: selection?.netDisbursed,
    lenderName: offer?.lenderName ?? '',
    shortName: offer && shortName(offer),
    fullName: view.applicant?.fullName ?? '',
    wasRefused: !sent && view.stepFailures > 0,
    triesLeft: triesLeft(view),
    accountTypes: [
      { value: 'SAVINGS', labelKey: 'steps.account.type.savings' },
      { value: 'CURRENT', labelKey: 'steps.account.type.current' },
    ],
  });
}

function triesLeft({ stepFailures }: HostedJourneyView): number {
  return BANK_ACCOUNT.maxTries - stepFailures;
}
