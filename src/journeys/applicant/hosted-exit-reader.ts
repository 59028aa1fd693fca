import { Injectable } from '@nestjs/common';
import { LenderGateway } from '../../lenders/index.js';
import { redirectStepOf } from '../domain/journey-state.js';
import { ProviderWait } from '../redirects/provider-wait.js';
import { RedirectSteps } from '../redirects/redirect-steps.js';
import { ReturnUrls } from '../redirects/return-urls.js';
import type { Journey } from '../store/journey.entity.js';
import { HostedFees } from './hosted-fees.js';
import type { HostedJourneyView, HostedRedirect } from './hosted-view.js';

type ReadSteps = Pick<HostedJourneyView, 'redirect' | 'fee' | 'returnUrl'>;

/** Where a hosted journey's pages lead. */
@Injectable()
export class HostedExitReader {
  constructor(
    private readonly redirects: RedirectSteps,
    private readonly fees: HostedFees,
    private readonly providers: ProviderWait,
    private readonly gateway: LenderGateway,
    private readonly returnUrls: ReturnUrls,
  ) {}

  /** @param lenderCode of the chosen offer; null: none */
  async read(journey: Journey, lenderCode: string | null): Promise<ReadSteps> {
    return {
      redirect: lenderCode === null ? null : await this.redirectOf(journey, lenderCode),
      fee: await this.fees.of(journey),
      returnUrl: await this.returnUrls.afterJourney(journey),
    };
  }

  private async redirectOf(journey: Journey, lenderCode: string): Promise<HostedRedirect | null> {
    const { state, redirectId, stepFailures } = journey;
    const step = redirectStepOf(state);
    if (redirectId === null || step === null) return null;
    const url = this.redirects.urlOf(redirectId);
    const isDeciding = await this.providers.isDeciding(journey);
    const provider = await this.gateway.providerOf(lenderCode, step);
    return { step, url, attempt: stepFailures + 1, isDeciding, provider };
  }
}
