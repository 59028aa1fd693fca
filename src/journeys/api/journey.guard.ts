import { type CanActivate, type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { PartnerRequest } from '../../auth/index.js';
import { Clock, equalBytes, Fault, fromRequest, sha256 } from '../../platform/index.js';
import type { Journey } from '../store/journey.entity.js';
import { JourneysRepository } from '../store/journeys.repository.js';

interface JourneyRequest extends PartnerRequest {
  journey: Journey;
}

const SESSION_OPTIONAL = 'rinpath:session-optional';
const JOURNEY_ID = /^jrn_[0-9a-f]{32}$/;
const SESSION_COOKIE = /(?:^|;\s*)journey_session=([^;]+)/;
const SESSION_OUTLIVES_JOURNEY_MS = 30 * 86_400_000;

/** A missing session is allowed; a wrong one is refused. */
export const SessionOptional = () => SetMetadata(SESSION_OPTIONAL, true);

export const CurrentJourney = fromRequest(({ journey }: JourneyRequest) => journey);

@Injectable()
export class JourneyGuard implements CanActivate {
  constructor(
    private readonly journeys: JourneysRepository,
    private readonly clock: Clock,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<JourneyRequest>();
    const id = request.params.journeyId;
    const isId = typeof id === 'string' && JOURNEY_ID.test(id);
    const journey = isId ? await this.journeys.find(request.partnerKey.partnerId, id) : null;
    if (!journey) throw new Fault('journey_not_found');
    const isOptional = this.reflector.get<boolean>(SESSION_OPTIONAL, context.getHandler()) ?? false;
    if (journey.channel === 'API_HEADLESS') this.checkSession(request, journey, isOptional);
    request.journey = journey;
    return true;
  }

  private checkSession(request: JourneyRequest, journey: Journey, isOptional: boolean): void {
    const session = sessionOf(request);
    if (session === null) {
      if (isOptional) return;
      throw new Fault('journey_session_missing');
    }
    const endedAt = journey.finishedAt?.getTime() ?? Number.POSITIVE_INFINITY;
    const isOver = this.clock.now().getTime() > endedAt + SESSION_OUTLIVES_JOURNEY_MS;
    if (isOver || !isSessionOf(journey, session)) throw new Fault('journey_session_invalid');
  }
}

function sessionOf(request: JourneyRequest): string | null {
  const header = request.headers['x-journey-session'];
  if (typeof header === 'string' && header !== '') return header;
  return SESSION_COOKIE.exec(request.headers.cookie ?? '')?.[1]?.trim() ?? null;
}

function isSessionOf(journey: Journey, session: string): boolean {
  if (journey.sessionHash === null) return false;
  return equalBytes(Buffer.from(sha256(session)), Buffer.from(journey.sessionHash));
}
