package dev.pawl.docs;

import dev.pawl.JobQueue;
import dev.pawl.testkit.QueueTester;
import dev.pawl.testkit.junit.PawlExtension;
import java.nio.file.Path;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** docs/guides/testing.md, with your own database. */
class TestingOnYoursTest {
    @TempDir
    static Path folder;

    static DataSource yourPool() {
        return DocsQueue.file(folder);
    }

    // with @RegisterExtension instead of @PawlTest
    @RegisterExtension
    static PawlExtension pawl = PawlExtension.on(() -> yourPool());

    @Test
    void eachTestHasTablesOfItsOwn(JobQueue queue, QueueTester tester) {
        queue.enqueue(TestingTest.CONFIRM, new TestingTest.Confirm("Ada"));
        tester.enqueued(TestingTest.CONFIRM).assertOne();
    }
}
