package dev.pawl.codec;

import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;

/** Describes an error of Jackson 2 and its place without quoting the payload. Loaded only if Jackson 2 is present. */
final class Jackson2Place {
    private Jackson2Place() {}

    static String of(Throwable error) {
        MemberPath path = new MemberPath();
        if (error instanceof JsonMappingException mapping) {
            mapping.getPath().forEach(step -> path.add(step.getFrom(), step.getFieldName(), step.getIndex()));
        }
        String wanted = error instanceof MismatchedInputException mismatch && mismatch.getTargetType() != null
                ? " for " + mismatch.getTargetType().getName()
                : "";
        return error.getClass().getSimpleName() + wanted + path;
    }
}
