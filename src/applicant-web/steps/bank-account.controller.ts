import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { HostedJourneys, type HostedJourneyView } from '../../journeys/index.js';
import {
  CsrfProtected,
  type Entered,
  enteredIn,
  type FormError,
  readForm,
} from '../../platform/index.js';
import { requireScreen, requireStamp } from '../entry/current-screen.js';
import { HostedSession, type HostedSessionValue, SignedIn } from '../entry/signed-in.js';
import { BankAccountForm, refusedAccount, typedBefore } from './bank-account-form.js';
import { StepActions } from './step-actions.js';
import { type Exchange, StepScreens } from './step-screens.js';

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
    private readonly screens: StepScreens,
  ) {}

  @Get()
  async show(
    @HostedSession() session: HostedSessionValue,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const view = await this.read(session);
    await this.render({ request, response }, view);
  }

  @Post()
  @CsrfProtected()
  async submit(
    @HostedSession() session: HostedSessionValue,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const exchange = { request, response };
    const view = await this.read(session);
    requireStamp(view, enteredIn(request).shown);
    const form = readForm(request, BankAccountForm);
    if (!form.isValid) {
      await this.render(exchange, view, { errors: form.errors, entered: form.entered });
      return;
    }
    const { accHolderName, acctype, accNo, ifscCode } = form.value;
    const outcome = await this.actions.take(exchange, session, view, {
      kind: 'SUBMIT_BANK_ACCOUNT',
      payload: { accHolderName, acctype, accNo, ifscCode },
      retryHref: PATH,
    });
    if (outcome === 'REFUSED') {
      await this.showRefusal(exchange, session, form.entered);
    } else if (outcome === 'TAKEN') {
      response.redirect(303, '/hosted');
    }
  }

  /** The journey has counted the refusal: what the form stands in is read again. */
  private async showRefusal(
    exchange: Exchange,
    session: HostedSessionValue,
    entered: Entered,
  ): Promise<void> {
    const view = await this.read(session);
    const errors = [refusedAccount(triesLeft(view))];
    await this.render(exchange, view, { errors, entered });
  }

  private async read(session: HostedSessionValue): Promise<HostedJourneyView> {
    const view = await this.hosted.read(session);
    requireScreen(view, PATH);
    return view;
  }

  private render(
    exchange: Exchange,
    view: HostedJourneyView,
    failed?: { errors: readonly FormError[]; entered: Entered },
  ): Promise<void> {
    const { netDisbursed } = view.selected?.selection ?? {};
    return this.screens.question(exchange, view, 'bank-account', 'hosted/steps/bank-account', {
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
}

function triesLeft({ stepFailures }: HostedJourneyView): number {
  return MAX_TRIES - stepFailures;
}
