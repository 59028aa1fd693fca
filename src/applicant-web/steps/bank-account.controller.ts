import { Controller, Get, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
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
import { BankAccountForm, refusedAccount, typedBefore } from './bank-account-form.js';
import { StepActions } from './step-actions.js';
import { questionPage } from './step-pages.js';

const PATH = '/hosted/bank-account';
/** So many accounts may be refused before the journey is over. */
const MAX_TRIES = 3;

/** The account that the money is paid to. */
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
  @CsrfProtected()
  async submit(
    @HostedSession() session: HostedSessionValue,
    @Req() request: Request,
  ): Promise<Page | SeeOther> {
    const view = await this.read(session);
    requireStamp(view, enteredIn(request).shown);
    const form = readForm(request, BankAccountForm);
    if (!form.isValid) {
      return accountPage(view, { errors: form.errors, entered: form.entered });
    }
    const { accHolderName, acctype, accNo, ifscCode } = form.value;
    const outcome = await this.actions.take(session, view, {
      kind: 'SUBMIT_BANK_ACCOUNT',
      payload: { accHolderName, acctype, accNo, ifscCode },
      retryHref: PATH,
    });
    if (outcome === 'TAKEN') return new SeeOther('/hosted');
    return outcome === 'REFUSED' ? this.refusal(session, form.entered) : outcome;
  }

  /** The journey has counted the refusal: what the form stands in is read again. */
  private async refusal(session: HostedSessionValue, entered: Entered): Promise<Page> {
    const view = await this.read(session);
    const errors = [refusedAccount(triesLeft(view))];
    return accountPage(view, { errors, entered });
  }

  private async read(session: HostedSessionValue): Promise<HostedJourneyView> {
    const view = await this.hosted.read(session);
    requireScreen(view, PATH);
    return view;
  }
}

function accountPage(
  view: HostedJourneyView,
  failed?: { errors: readonly FormError[]; entered: Entered },
): Page {
  const { netDisbursed } = view.selected?.selection ?? {};
  return questionPage(view, 'bank-account', 'hosted/steps/bank-account', {
    titleKey: 'steps.account.title',
    ...(failed && { errors: failed.errors, entered: typedBefore(failed.entered) }),
    netDisbursed,
    lenderName: view.selected?.offer.lenderName,
    fullName: view.applicant?.fullName ?? '',
    wasRefused: !failed && view.stepFailures > 0,
    triesLeft: triesLeft(view),
    accountTypes: [
      { value: 'SAVINGS', labelKey: 'steps.account.type.savings' },
      { value: 'CURRENT', labelKey: 'steps.account.type.current' },
    ],
  });
}

function triesLeft({ stepFailures }: HostedJourneyView): number {
  return MAX_TRIES - stepFailures;
}
