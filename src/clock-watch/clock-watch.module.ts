import { hostname } from 'node:os';
import { Module } from '@nestjs/common';
import { ClockWatch, HOST_NAME } from './clock-watch.js';

/** Notifies the operator of a host whose clock is wrong. */
@Module({ providers: [{ provide: HOST_NAME, useFactory: hostname }, ClockWatch] })
export class ClockWatchModule {}
