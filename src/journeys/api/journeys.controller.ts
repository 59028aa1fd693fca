import { All, Get, Post, UseGuards } from '@nestjs/common';
import { ApiExcludeEndpoint } from '@nestjs/swagger';
import {
  Authenticated,
  CurrentKey,
  CurrentRequest,
  type PartnerKey,
  Scoped,
} from '../../auth/index.js';
import type { SignedRequest } from '../../consents/index.js';
import { isRedirectStep, REDIRECT_STEPS, type RedirectStep } from '../../journey-steps/index.js';
import {
  CurrentIdempotencyKey,
  Fault,
  type IdempotencyKey,
  type IdempotentResult,
  JsonBody,
  missingOr,
  PartnerApi,
  validationFault,
  ValidBody,
} from '../../platform/index.js';
import { RedirectReturnedService } from '../redirects/redirect-returned.service.js';
import type { Journey } from '../store/journey.entity.js';
import { ActionBody, readAction } from '../use-cases/action-body.dto.js';
import { SubmitActionService } from '../use-cases/submit-action.service.js';
import { InitiateJourneyService, type StartedJourney } from './initiate-journey.service.js';
import type { JourneyView } from './journey-view.js';
import { CurrentJourney, JourneyGuard, SessionOptional } from './journey.guard.js';
import { ActionCall, InitiateCall, ReadJourneyCall, ReturnedCall } from './journeys.api.js';
import type { NextActionAnswer } from './next-action-view.js';
import { ReadJourneyService, WrongSteps } from './read-journey.service.js';

@PartnerApi('journey')
export class JourneysController {
  constructor(
    private readonly initiation: InitiateJourneyService,
    private readonly reading: ReadJourneyService,
    private readonly actions: SubmitActionService,
    private readonly returns: RedirectReturnedService,
    private readonly wrongSteps: WrongSteps,
  ) {}

  @InitiateCall
  @Post('initiate')
  @Scoped('journeys:write')
  initiate(
    @CurrentKey() key: PartnerKey,
    @JsonBody() body: Record<string, unknown>,
    @CurrentIdempotencyKey() idempotencyKey: IdempotencyKey | null,
    @CurrentRequest() cameBy: SignedRequest,
  ): Promise<IdempotentResult<StartedJourney>> {
    return this.initiation.initiate(key, body, idempotencyKey, cameBy);
  }

  /** `initiate` is never a journey's id. */
  @All('initiate')
  @ApiExcludeEndpoint()
  @Authenticated
  initiateByPost(): never {
    throw new Fault('method_not_allowed', { allow: ['POST'] });
  }

  @ReadJourneyCall
  @Get(':journeyId')
  @UseGuards(JourneyGuard)
  @Scoped('journeys:read')
  read(@CurrentJourney() journey: Journey): Promise<JourneyView> {
    return this.reading.view(journey);
  }

  @ActionCall
  @Post(':journeyId/action')
  @UseGuards(JourneyGuard)
  @Scoped('journeys:write')
  async act(
    @CurrentJourney() journey: Journey,
    @ValidBody(ActionBody) body: ActionBody,
  ): Promise<NextActionAnswer> {
    const payload = readAction(body);
    if (journey.channel === 'API_HOSTED') throw new Fault('hosted_journey');
    const after = await this.wrongSteps.named(journey, () =>
      this.actions.submit(journey, body.kind, payload),
    );
    return { nextAction: await this.reading.nextAction(after) };
  }

  @ReturnedCall
  @Post(':journeyId/redirect-returned')
  @SessionOptional()
  @UseGuards(JourneyGuard)
  @Scoped('journeys:write')
  async returned(
    @CurrentJourney() journey: Journey,
    @JsonBody() body: Record<string, unknown>,
  ): Promise<NextActionAnswer> {
    const step = readReturnedStep(body);
    const after = await this.wrongSteps.named(journey, () => this.returns.returned(journey, step));
    return { nextAction: await this.reading.nextAction(after) };
  }
}

/**
 * The contract names no field, so any top-level string may name the step, in any case.
 * @throws Fault validation_failed when none or several steps are named
 */
export function readReturnedStep(body: Record<string, unknown>): RedirectStep {
  const named = new Set(
    Object.values(body)
      .filter((value) => typeof value === 'string')
      .map((value) => value.trim().toUpperCase())
      .filter(isRedirectStep),
  );
  const [step] = named;
  if (step && named.size === 1) return step;
  const message = `must be one of ${REDIRECT_STEPS.join(', ')}`;
  const isMissing = named.size === 0 && (body.step === undefined || body.step === null);
  throw validationFault([
    { field: 'step', message: isMissing ? missingOr(null, message) : message },
  ]);
}
