import { Controller, Param, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import {
  AddressLimiter,
  Fault,
  RandomSource,
  type RawRequest,
  RequestBodies,
  SystemClock,
} from '../../platform/index.js';
import { LenderCallMetrics } from '../client/lender-call-metrics.js';
import { OwnKeys } from '../keys/own-keys.js';
import { type CallbackName, CALLBACKS } from '../protocol/callbacks.js';
import { PROTOCOL } from '../protocol/transport.js';
import { signAnswer } from '../signing/message-signatures.js';
import { CallbackIntake } from './callback-intake.js';
import { CallbackRefused } from './read-callback.js';
import { CallbackSender, type KnownSender } from './callback-sender.js';

interface Answered {
  readonly status: number;
  readonly body: object;
  readonly retryAfterSeconds?: number;
}

const NAMES: ReadonlyMap<string, CallbackName> = new Map(
  (Object.keys(CALLBACKS) as CallbackName[]).map((name) => [CALLBACKS[name].path, name]),
);

/** Checks the signature before parsing; `202` means that the message is durable. */
@Controller(`${PROTOCOL.callbacksPath.slice(1)}/:lenderCode`)
export class LenderCallbacksController {
  constructor(
    private readonly senders: CallbackSender,
    private readonly intake: CallbackIntake,
    private readonly ownKeys: OwnKeys,
    private readonly addresses: AddressLimiter,
    private readonly bodies: RequestBodies,
    private readonly metrics: LenderCallMetrics,
    private readonly random: RandomSource,
    private readonly clock: SystemClock,
  ) {}

  @Post(':call')
  async receive(
    @Param('lenderCode') code: string,
    @Param('call') call: string,
    @Req() request: RawRequest,
    @Res() response: Response,
  ): Promise<void> {
    const name = NAMES.get(`/${call}`);
    if (!name) throw new Fault('route_not_found');
    const sender = await this.senders.identify(code, request);
    this.addresses.markKnownCaller(request);
    this.bodies.release(request);
    const answered = await this.take(name, sender, request);
    await this.send(sender, answered, response);
  }

  private async take(
    name: CallbackName,
    sender: KnownSender,
    request: RawRequest,
  ): Promise<Answered> {
    const { lenderCode } = sender;
    const count = (outcome: string) =>
      this.metrics.callbacks.inc({ lender: lenderCode, call: name, outcome });
    try {
      const id = await this.intake.take(name, sender, request);
      count('received');
      return { status: 202, body: { id, status: 'RECEIVED' } };
    } catch (error) {
      if (!(error instanceof CallbackRefused)) throw error;
      const { code, status, message, retryAfterSeconds } = error;
      count(code);
      return { status, body: { error: { code, message } }, retryAfterSeconds };
    }
  }

  private async send(
    { address, jti: requestId }: KnownSender,
    { status, body, retryAfterSeconds }: Answered,
    response: Response,
  ): Promise<void> {
    const bytes = Buffer.from(JSON.stringify(body));
    const signature = await signAnswer(
      { status, address, requestId, body: bytes },
      {
        key: await this.ownKeys.signing(),
        now: this.clock.epochSeconds(),
        id: this.random.token(),
      },
    );
    if (retryAfterSeconds !== undefined) response.set('Retry-After', String(retryAfterSeconds));
    response.set(PROTOCOL.headers.version, PROTOCOL.version);
    response.set(PROTOCOL.headers.signature, signature);
    response.status(status).type('application/json').send(bytes);
  }
}
