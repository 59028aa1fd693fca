import { Controller, Get, HttpCode, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { BANK_ACCOUNT } from '../../journey-steps/index.js';
import { HostedJourneys, type HostedJourneyView } from '../../journeys/index.js';
import {
  CsrfProtected,
  type Entered,
  enteredIn,
  type FormError,
  Page,
  readForm,
  SeeOther,
} from '../../platform/index.js';
import { requireScreen, requireStamp } from '../entry/current-screen.js';
import { HostedSession, type HostedSessionValue, SignedIn } from '../entry/signed-in.js';
import { BankAccountForm, refusedAccount, typedBefore, typedBranch } from './bank-account-form.js';
import type { BankBranch } from './bank-branch.js';
import { shortName } from '../short-name.js';
import { StepActions } from './step-actions.js';
import { questionPage, stepPage } from './step-pages.js';

const PATH = '/hosted/bank-account';

@Controller('hosted/bank-account')
@SignedIn()
export class BankAccountController {
  constructor(
    private readonly hosted: HostedJourneys,
    private readonly actions: StepActions,
  ) {}

  @Get()
  async show(@HostedSession() session: HostedSessionValue): Promise<Page> {
    return accountPage(await this.read(session));
  }

  @Post()
  @HttpCode(200)
  @CsrfProtected()
  async submit(
    @HostedSession() session: HostedSessionValue,
    @Req() request: Request,
  ): Promise<Page | SeeOther> {
    const view = await this.read(session);
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
    const outcome = await this.actions.take(session, view, {
      kind: 'SUBMIT_BANK_ACCOUNT',
      payload: { accHolderName, acctype, accNo, ifscCode },
      retryHref: PATH,
    });
    if (outcome === 'TAKEN') return new SeeOther('/hosted');
    return outcome === 'REFUSED' ? this.refusal(session, form.entered, bank) : outcome;
  }

  /** For the page's script, while the IFSC is typed. */
  @Post('branch')
  @HttpCode(200)
  @CsrfProtected()
  async branch(
    @HostedSession() session: HostedSessionValue,
    @Req() request: Request,
  ): Promise<Page> {
    await this.read(session);
    return stepPage('steps/bank-branch', {
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
    const view = await this.read(session);
    const errors = [refusedAccount(triesLeft(view))];
    return accountPage(view, { errors, entered: typedBefore(entered), bank });
  }

  private async read(session: HostedSessionValue): Promise<HostedJourneyView> {
    const view = await this.hosted.read(session);
    requireScreen(view, PATH);
    return view;
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
