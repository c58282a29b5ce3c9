package dev.pawl.codec;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.exc.MismatchedInputException;

/** What Jackson 3 found wrong, and where, without the payload's content. Loaded only where there is that Jackson. */
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
