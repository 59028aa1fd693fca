import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { HostedJourneys, type HostedJourneyView } from '../../journeys/index.js';
import {
  CsrfProtected,
  type Entered,
  enteredIn,
  FormField,
  type FormError,
  readForm,
  TextField,
} from '../../platform/index.js';
import { requireScreen, requireStamp } from '../entry/current-screen.js';
import { HostedSession, type HostedSessionValue, SignedIn } from '../entry/signed-in.js';
import { mapUrl } from './map-url.js';
import { StepActions } from './step-actions.js';
import { type Exchange, StepScreens } from './step-screens.js';

const PATH = '/hosted/branch';
const MISSING: FormError = { field: 'branchLocationId', messageKey: 'steps.branch.missing' };

class BranchForm {
  @TextField()
  @FormField({ missing: 'steps.branch.missing', wrong: 'steps.branch.missing' })
  branchLocationId: string;
}

/** The branch to which the gold is brought. */
@Controller('hosted/branch')
@SignedIn()
export class BranchController {
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
  async choose(
    @HostedSession() session: HostedSessionValue,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const exchange = { request, response };
    const view = await this.read(session);
    requireStamp(view, enteredIn(request).shown);
    const form = readForm(request, BranchForm);
    if (!form.isValid) {
      await this.render(exchange, view, form);
      return;
    }
    const outcome = await this.actions.take(exchange, session, view, {
      kind: 'SELECT_GOLD_LOAN_BRANCH',
      payload: { branchLocationId: form.value.branchLocationId },
      retryHref: PATH,
    });
    if (outcome === 'REFUSED') {
      await this.render(exchange, view, { errors: [MISSING], entered: {} });
    } else if (outcome === 'TAKEN') {
      response.redirect(303, '/hosted');
    }
  }

  private async read(session: HostedSessionValue): Promise<HostedJourneyView> {
    const view = await this.hosted.read(session);
    requireScreen(view, PATH);
    return view;
  }

  private render(
    exchange: Exchange,
    view: HostedJourneyView,
    failed: { errors?: readonly FormError[]; entered?: Entered } = {},
  ): Promise<void> {
    const { errors, entered } = failed;
    const offer = view.selected?.offer;
    const branches = (offer?.terms.branches ?? [])
      .map((branch) => ({ ...branch, mapHref: mapUrl(branch) }))
      .toSorted((one, other) => one.name.localeCompare(other.name, 'en'));
    return this.screens.question(exchange, view, 'branch', 'hosted/steps/branch', {
      titleKey: 'steps.branch.title',
      scripts: ['branch-distance.js'],
      asksForPlace: true,
      errors,
      entered,
      lenderName: offer?.lenderName,
      branches,
    });
  }
}
