import { Injectable } from '@nestjs/common';
import type { PartnerKey } from '../../auth/index.js';
import { ConsentLog, type SignedRequest } from '../../consents/index.js';
import {
  Clock,
  Fault,
  type IdempotencyKey,
  type IdempotentResult,
  ShownId,
  ShownObject,
  ShownText,
  ShownUrl,
} from '../../platform/index.js';
import { LoanReturnUrls } from '../../leads/index.js';
import { ProductCatalogue, ServiceSettings } from '../../settings/index.js';
import { JourneyStarts } from '../use-cases/journey-starts.js';
import { NextActionView } from './next-action-view.js';
import { readInitiateRequest } from './read-initiate-request.js';

export class StartedJourney {
  @ShownId('jrn', 'The journey.')
  readonly journeyId: string;

  @ShownId('app', 'The journey’s lead.')
  readonly applicationId: string;

  @ShownObject(() => NextActionView, 'The next step.')
  readonly nextAction: NextActionView;

  @ShownUrl(
    'API_HOSTED: the single-use link for the applicant.',
    'https://rinpath.example/hosted/start/token',
    { optional: true },
  )
  readonly hostedUrl?: string;

  @ShownText(
    'API_HEADLESS: the session token for later calls.',
    'ypeBEsobvcr6wjGzmiPcTaeG7_gUfE5yuYB3ha_uSLs',
    { optional: true },
  )
  readonly journeySession?: string;
}

@Injectable()
export class InitiateJourneyService {
  constructor(
    private readonly products: ProductCatalogue,
    private readonly starts: JourneyStarts,
    private readonly consents: ConsentLog,
    private readonly settings: ServiceSettings,
    private readonly returnUrls: LoanReturnUrls,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws Fault validation_failed, product_not_assigned (403), product_unavailable (404), and those of
   * `Idempotency.once`
   */
  async initiate(
    key: PartnerKey,
    body: Record<string, unknown>,
    idempotencyKey: IdempotencyKey | null,
    cameBy: SignedRequest,
  ): Promise<IdempotentResult<StartedJourney>> {
    const defaults = { channel: key.defaultChannel, productCode: key.defaultProduct };
    const now = this.clock.now();
    const products = await this.products.list();
    const goldLimits = await this.settings.operating();
    const read = readInitiateRequest(body, defaults, now, { products, goldLimits });
    await this.consents.refuseUnknownLenders(read.consent);
    const reference = await this.returnUrls.checked(key.partnerId, read.reference);
    const request = { ...read, reference };
    if (!key.products.has(request.productCode)) throw new Fault('product_not_assigned');
    const product = await this.products.find(request.productCode);
    if (!product?.isEnabled) throw new Fault('product_unavailable');
    return this.starts.start({ key, product, request, idempotencyKey, cameBy });
  }
}
