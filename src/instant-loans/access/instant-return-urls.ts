import { Inject, Injectable } from '@nestjs/common';
import { PartnerReturnUrls } from '../../auth/index.js';
import { ENVIRONMENT, type Environment, type Tx } from '../../platform/index.js';
import type { InstantLoan } from '../store/instant-loan.entity.js';

@Injectable()
export class InstantReturnUrls {
  constructor(
    private readonly returnUrls: PartnerReturnUrls,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /**
   * The id and status in the address prove nothing: the partner reads the status.
   * @returns null when the partner has no return URL
   */
  async of(tx: Tx, { id, partnerId, status }: InstantLoan): Promise<string | null> {
    const address = await this.returnUrls.of(tx, partnerId);
    if (address === null) return null;
    const url = new URL(address, this.environment.baseUrl);
    url.searchParams.set('applicationId', id);
    url.searchParams.set('status', status);
    return url.toString();
  }
}
