package dev.pawl.conformance.schedule;

import java.util.List;
import java.util.function.Function;

/**
 * What somebody did to a job, or saw of it.
 *
 * @param begun when its first statement was sent
 * @param over when it had returned
 * @param text who, what, and the answer
 * @param effect how the job may stand afterwards; nothing if the answer is wrong where it stands
 */
record Deed(long begun, long over, String text, Function<Stand, List<Stand>> effect) {
    @Override
    public String toString() {
        return "[%d, %d] %s".formatted(begun, over, text);
    }
}
