package dev.pawl.cli;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Predicate;

/** Sends the same request for several jobs and prints each result; repeated ids are sent once. */
final class JobResults<A extends Enum<A>> {
    private final Map<Long, A> byJob = new LinkedHashMap<>();

    JobResults(List<Long> ids, LongFunction<A> request) {
        for (long id : new LinkedHashSet<>(ids)) {
            byJob.put(id, request.apply(id));
        }
    }

    /** {@return the exit code: 0 if all results are good} */
    int print(CliCommand command, Predicate<A> isGood, Function<A, String> description) {
        if (command.output().isJson()) {
            command.output()
                    .json(
                            command.out(),
                            byJob.entrySet().stream()
                                    .map(each -> JsonForm.object("jobId", each.getKey(), "result", each.getValue()))
                                    .toList());
        } else {
            byJob.forEach((id, result) -> (isGood.test(result) ? command.out() : command.err())
                    .println("job " + id + " " + description.apply(result)));
        }
        return byJob.values().stream().allMatch(isGood) ? 0 : 1;
    }
}
