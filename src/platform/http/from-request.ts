import { createParamDecorator, type ExecutionContext } from '@nestjs/common';

/** Makes a decorator of handlers' parameters from a function of the request and the decorator's argument. */
export const fromRequest = <Argument>(read: (request: never, given: Argument) => unknown) =>
  createParamDecorator((given: Argument, context: ExecutionContext) =>
    read(context.switchToHttp().getRequest<never>(), given),
  );
