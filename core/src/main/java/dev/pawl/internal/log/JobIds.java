package dev.pawl.internal.log;

import java.util.List;
import java.util.stream.Collectors;

/** Formats ids of jobs for log lines. */
public final class JobIds {
    private static final int NAMED = 5;

    private JobIds() {}

    /**
     * @param ids one or more
     * @return all ids if they are few, else the first ones and the number of the rest
     */
    public static String text(List<Long> ids) {
        if (ids.size() == 1) {
            return "job " + ids.get(0);
        }
        String named = ids.stream().limit(NAMED).map(String::valueOf).collect(Collectors.joining(", "));
        return "jobs " + named + (ids.size() > NAMED ? " and " + (ids.size() - NAMED) + " more" : "");
    }
}
