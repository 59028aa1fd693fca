import type { IncomingMessage, Server } from 'node:http';
import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { NextFunction, Request, Response } from 'express';
import { type Environment, ENVIRONMENT } from './config/environment.js';
import { Fault } from './errors/fault.js';
import { boundedServer, type Express } from './http/bounded-server.js';
import { Connections } from './http/connections.js';

/** What the operator's own tools ask for. */
const OPERATORS = /^\/(metrics|health)(\/|$)/i;

/** Its clients are few, and the service's end has no time left when it is this port's turn. */
const LIMITS = { connections: 64, graceMs: 0, longestMs: 500 };

/**
 * A port of its own for `/metrics` and `/health`, where one is configured: what costs work and needs no
 * key is then not to be had where everybody calls. It answers nothing else, and the public port no
 * longer answers these.
 */
@Injectable()
export class OperatorServer implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly requests = new WeakSet<IncomingMessage>();
  private readonly connections = new Connections(LIMITS);
  private server?: Server;

  constructor(
    private readonly host: HttpAdapterHost,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { operatorPort, operatorHost } = this.environment;
    // A command of the administrator runs in the same environment, and serves nothing.
    const { httpAdapter } = this.host as Partial<HttpAdapterHost>;
    if (operatorPort === undefined || !httpAdapter) return;
    const express = httpAdapter.getInstance<Express>();
    const answer: Express = (request, response, onUnanswered) => {
      this.requests.add(request);
      express(request, response, onUnanswered);
    };
    const server = boundedServer(answer, this.connections);
    this.server = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(operatorPort, operatorHost, resolve);
    });
  }

  /** The last thing to go: until then the operator sees how the rest comes to its end. */
  async onApplicationShutdown(): Promise<void> {
    if (this.server) await this.connections.drain(this.server);
  }

  /** Middleware that lets each port answer what is its own. */
  readonly separate = (request: Request, _response: Response, next: NextFunction): void => {
    const isMixed =
      this.environment.operatorPort !== undefined &&
      OPERATORS.test(request.path) !== this.requests.has(request);
    next(isMixed ? new Fault('route_not_found') : undefined);
  };
}
