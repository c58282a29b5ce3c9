package dev.pawl.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CacheTest {
    private final String name = "cache-test-" + UUID.randomUUID();
    private final AtomicInteger fills = new AtomicInteger();

    private void fill(Path folder) throws IOException {
        fills.incrementAndGet();
        Files.writeString(Files.createDirectory(folder.resolve("bin")).resolve("program"), "text");
    }

    @AfterEach
    void delete() throws IOException {
        FileTrees.delete(ServerHome.folder().resolve(name));
        FileTrees.delete(ServerHome.folder().resolve(name + ".half"));
        Files.deleteIfExists(ServerHome.folder().resolve(name + ".count"));
        Files.deleteIfExists(ServerHome.folder().resolve(name + ".lock"));
    }

    @Test
    void manyThreadsFillItOnce() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            Callable<Path> ask = () -> Cache.folder(name, this::fill);
            for (Future<Path> folder : threads.invokeAll(List.of(ask, ask, ask, ask))) {
                assertThat(folder.get().resolve("bin/program")).hasContent("text");
            }
            assertThat(fills).hasValue(1);
        } finally {
            threads.shutdown();
        }
    }

    @Test
    void incompleteFoldersAreRefilled() throws IOException {
        Path folder = Cache.folder(name, this::fill);
        Files.delete(folder.resolve("bin/program"));
        assertThat(Cache.folder(name, this::fill).resolve("bin/program")).hasContent("text");
        assertThat(fills).hasValue(2);
    }

    @Test
    void partiallyFilledFoldersAreNotUsed() {
        assertThatThrownBy(() -> Cache.folder(name, folder -> {
                    fill(folder);
                    throw new IOException("no space left");
                }))
                .isInstanceOf(ServerException.class)
                .hasMessageContaining("no space left");
        assertThat(Cache.folder(name, this::fill).resolve("bin/program")).hasContent("text");
        assertThat(fills).hasValue(2);
    }
}
