package dev.pawl.codec;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.exc.MismatchedInputException;

/** Describes an error of Jackson 3 and its place without quoting the payload. Loaded only if Jackson 3 is present. */
final class JacksonPlace {
    private JacksonPlace() {}

    static String of(Throwable error) {
        MemberPath path = new MemberPath();
        if (error instanceof JacksonException jackson) {
            jackson.getPath().forEach(step -> path.add(step.from(), step.getPropertyName(), step.getIndex()));
        }
        String wanted = error instanceof MismatchedInputException mismatch && mismatch.getTargetType() != null
                ? " for " + mismatch.getTargetType().getName()
                : "";
        return error.getClass().getSimpleName() + wanted + path;
    }
}
