import { Inject, Injectable } from '@nestjs/common';
import { within } from '../platform/index.js';
import {
  SMS_GATEWAYS,
  type SmsGateway,
  SmsRefused,
  type SmsToSend,
  SmsUnavailable,
} from './sms-gateway.js';
import { SmsMetrics } from './sms-outbox.js';
import { type SmsClaim, SmsMessagesRepository } from './store/sms-messages.repository.js';
import { wordingOf } from './sms-texts.js';
import { ConfiguredGateways, ServiceSettings, type SmsSettings } from '../settings/index.js';

/** Below the lease's length. */
const GATEWAY_DEADLINE_MS = 10_000;

/** Throws only `SmsRefused` or `SmsUnavailable`, within ten seconds. Do not call inside a transaction. */
@Injectable()
export class SmsDispatch {
  private readonly gateways: ReadonlyMap<string, SmsGateway>;

  constructor(
    private readonly configured: ConfiguredGateways,
    private readonly settings: ServiceSettings,
    private readonly messages: SmsMessagesRepository,
    private readonly metrics: SmsMetrics,
    @Inject(SMS_GATEWAYS) gateways: readonly SmsGateway[],
  ) {
    this.gateways = new Map(gateways.map((gateway) => [gateway.kind, gateway]));
  }

  async send(claim: SmsClaim) {
    const { kind } = claim;
    try {
      const sent = await this.dispatch(claim);
      this.metrics.attempts.inc({ kind, outcome: 'taken' });
      return sent;
    } catch (error) {
      const outcome = error instanceof SmsRefused ? 'refused' : 'unavailable';
      this.metrics.attempts.inc({ kind, outcome });
      throw error;
    }
  }

  private async dispatch(claim: SmsClaim) {
    const { gateway, sms, settings } = await this.prepare(claim).catch(rethrow(false));
    const receipt = await within(GATEWAY_DEADLINE_MS, gateway.send(sms, settings), noAnswer).catch(
      rethrow(true),
    );
    return { ...receipt, gateway: gateway.kind };
  }

  private async prepare(claim: SmsClaim) {
    const settings = await this.configured.sms();
    const gateway = this.gateways.get(settings.gateway.kind);
    if (!gateway) throw new SmsUnavailable(`no adapter for ${settings.gateway.kind}`);
    return { gateway, settings, sms: await this.write(claim, settings) };
  }

  private async write(claim: SmsClaim, settings: SmsSettings): Promise<SmsToSend> {
    const { mobile, pan, values } = this.messages.open(claim);
    const { displayName } = await this.settings.brand();
    const { id, partnerId, subjectId, kind, validForSeconds } = claim;
    const around = { brandName: displayName, validForSeconds };
    const wording = wordingOf({ kind, language: claim.language, values }, settings, around);
    return { id, partnerId, subjectId, kind, mobile, pan, validForSeconds, ...wording };
  }
}

function noAnswer(): never {
  throw new SmsUnavailable('no answer in time', { mayHaveGone: true });
}

/** The message of an unexpected error may contain the number. */
function rethrow(mayHaveGone: boolean): (error: unknown) => never {
  return (error) => {
    if (error instanceof SmsRefused || error instanceof SmsUnavailable) throw error;
    const name = error instanceof Error ? error.name : 'unknown';
    const cause = new Error(name);
    cause.stack = framesOf(error);
    throw new SmsUnavailable(`unforeseen: ${name}`, { mayHaveGone, cause });
  };
}

function framesOf(error: unknown): string {
  const lines = error instanceof Error ? (error.stack ?? '').split('\n') : [];
  return lines.filter((line) => line.startsWith('    at ')).join('\n');
}
