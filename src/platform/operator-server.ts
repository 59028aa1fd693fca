import type { IncomingMessage, Server } from 'node:http';
import {
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { NextFunction, Request, Response } from 'express';
import { type Environment, InjectEnvironment } from './config/environment.js';
import { Fault } from './errors/fault.js';
import { boundedServer, type Express } from './http/bounded-server.js';
import { Connections } from './http/connections.js';

const OPERATORS = /^\/(metrics|health)(\/|$)/i;

/** It closes last, when no time is left. */
const LIMITS = { connections: 64, graceMs: 0, longestMs: 500 };

/** `/metrics` and `/health` cost work and need no key. */
@Injectable()
export class OperatorServer implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly requests = new WeakSet<IncomingMessage>();
  private readonly connections = new Connections(LIMITS);
  private server?: Server;

  constructor(
    private readonly host: HttpAdapterHost,
    @InjectEnvironment private readonly environment: Environment,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { operatorPort, operatorHost } = this.environment;
    // An admin command shares the environment but serves nothing.
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

  /** Last, so that the operator can watch the shutdown. */
  async onApplicationShutdown(): Promise<void> {
    if (this.server) await this.connections.drain(this.server);
  }

  readonly separate = (request: Request, _response: Response, next: NextFunction): void => {
    const isMixed =
      this.environment.operatorPort !== undefined &&
      OPERATORS.test(request.path) !== this.requests.has(request);
    next(isMixed ? new Fault('route_not_found') : undefined);
  };
}
