package dev.pawl.cli.example;

import dev.pawl.JobQueue;
import java.io.PrintWriter;
import java.util.List;

/** A program to run and to read. */
public interface Example {
    /** {@return all of them, in the order in which they are listed} */
    static List<Example> all() {
        return List.of(new NightlyReport(), new TenantMails(), new Import(), new Order(), new Approval());
    }

    /** {@return what to call it} */
    String name();

    /** {@return what it shows, in a line} */
    String shows();

    /**
     * Runs it to its end.
     *
     * @param queue of an empty database
     * @param out for people to read
     * @throws Exception if it fails
     */
    void run(JobQueue queue, PrintWriter out) throws Exception;
}
