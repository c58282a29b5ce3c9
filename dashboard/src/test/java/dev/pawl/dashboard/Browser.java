package dev.pawl.dashboard;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A headless Chromium, driven over its DevTools protocol. */
final class Browser implements AutoCloseable {
    private static final Pattern LISTENING = Pattern.compile("DevTools listening on ws://([^/]+)/");
    private static final Pattern PAGE = Pattern.compile("\"webSocketDebuggerUrl\"\\s*:\\s*\"([^\"]+)\"");
    private static final Pattern ID = Pattern.compile("\"id\":(\\d+)");

    private final Process process;
    private final Path profile;
    private final HttpClient client = HttpClient.newHttpClient();
    private final WebSocket socket;
    private final AtomicInteger ids = new AtomicInteger();
    private final Map<Integer, CompletableFuture<String>> answers = new ConcurrentHashMap<>();
    private final List<String> complaints = new CopyOnWriteArrayList<>();

    private final class Listener implements WebSocket.Listener {
        private final StringBuilder message = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
            message.append(data);
            if (last) {
                take(message.toString());
                message.setLength(0);
            }
            from.request(1);
            return CompletableFuture.completedStage(null);
        }
    }

    private void take(String message) {
        Matcher id = ID.matcher(message);
        if (message.startsWith("{\"id\":") && id.find()) {
            Objects.requireNonNull(answers.remove(Integer.valueOf(id.group(1)))).complete(message);
        } else if (message.contains("Runtime.exceptionThrown") || message.contains("\"level\":\"error\"")) {
            complaints.add(message);
        }
    }

    /** {@return the program; empty if none is installed} */
    static Optional<String> program() {
        String path = Objects.requireNonNullElse(System.getenv("PATH"), "");
        Stream<Path> candidates = Stream.of("chromium", "chromium-browser", "google-chrome")
                .flatMap(name -> Stream.of(path.split(":")).map(folder -> Path.of(folder, name)));
        return candidates.filter(Files::isExecutable).map(Path::toString).findFirst();
    }

    Browser(String program, int width, int height, String... options) throws IOException {
        profile = Files.createTempDirectory("pawl-browser");
        List<String> command = new java.util.ArrayList<>(List.of(
                program,
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--hide-scrollbars",
                "--remote-debugging-port=0",
                "--no-first-run",
                "--window-size=" + width + "," + height,
                "--user-data-dir=" + profile));
        command.addAll(List.of(options));
        command.add("about:blank");
        process = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        String address = address();
        Thread rest = new Thread(this::drain, "browser-log");
        rest.setDaemon(true);
        rest.start();
        Matcher page = PAGE.matcher(read("PUT", "http://" + address + "/json/new"));
        if (!page.find()) {
            throw new IOException("Chromium opens no page");
        }
        socket = client.newWebSocketBuilder()
                .buildAsync(URI.create(page.group(1)), new Listener())
                .join();
        call("Page.enable", "{}");
        call("Runtime.enable", "{}");
        call("Log.enable", "{}");
    }

    private String address() throws IOException {
        BufferedReader log =
                new BufferedReader(new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8));
        for (String line = log.readLine(); line != null; line = log.readLine()) {
            Matcher listening = LISTENING.matcher(line);
            if (listening.find()) {
                return listening.group(1);
            }
        }
        throw new IOException("Chromium does not start");
    }

    private void drain() {
        try {
            process.getErrorStream().transferTo(java.io.OutputStream.nullOutputStream());
        } catch (IOException e) {
            return; // the browser has ended
        }
    }

    private String read(String method, String url) throws IOException {
        try {
            return client.send(
                            HttpRequest.newBuilder(URI.create(url))
                                    .method(method, HttpRequest.BodyPublishers.noBody())
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    private String call(String method, String parameters) {
        int id = ids.incrementAndGet();
        CompletableFuture<String> answer = new CompletableFuture<>();
        answers.put(id, answer);
        socket.sendText("{\"id\":" + id + ",\"method\":\"" + method + "\",\"params\":" + parameters + "}", true)
                .join();
        return answer.orTimeout(90, TimeUnit.SECONDS).join();
    }

    /** Loads a page and waits for it. */
    void open(String url) {
        call("Page.navigate", "{\"url\":" + dev.pawl.dashboard.internal.json.Json.write(url) + "}");
        org.awaitility.Awaitility.await()
                .atMost(Site.SOON)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> is("document.readyState === 'complete' && location.href !== 'about:blank'"));
    }

    /** {@return whether a JavaScript expression is true on the page; false during a navigation} */
    boolean is(String expression) {
        return evaluate(expression).contains("\"value\":true");
    }

    /** Runs JavaScript on the page. */
    String evaluate(String script) {
        return call(
                "Runtime.evaluate",
                "{\"returnByValue\":true,\"expression\":" + dev.pawl.dashboard.internal.json.Json.write(script) + "}");
    }

    /** Appends text to the focused element. */
    void type(String text) {
        evaluate(
                "{ const field = document.activeElement; field.setSelectionRange(field.value.length, field.value.length); }");
        call("Input.insertText", "{\"text\":" + dev.pawl.dashboard.internal.json.Json.write(text) + "}");
    }

    /** Presses a key without a letter, such as Tab. */
    void key(String name, int code) {
        call("Emulation.setFocusEmulationEnabled", "{\"enabled\":true}");
        for (String what : List.of("rawKeyDown", "keyUp")) {
            call(
                    "Input.dispatchKeyEvent",
                    "{\"type\":\"" + what + "\",\"key\":\"" + name + "\",\"code\":\"" + name
                            + "\",\"windowsVirtualKeyCode\":" + code + "}");
        }
    }

    /** Moves the pointer to the centre of an element. */
    void point(String selector) {
        String answer = evaluate("(() => { const box = document.querySelector("
                + dev.pawl.dashboard.internal.json.Json.write(selector)
                + ").getBoundingClientRect(); return 'at ' + Math.round(box.left + box.width / 2) + ' '"
                + " + Math.round(box.top + box.height / 2) })()");
        Matcher at = Pattern.compile("at (\\d+) (\\d+)").matcher(answer);
        if (!at.find()) {
            throw new AssertionError(selector + " is not there: " + answer);
        }
        call(
                "Input.dispatchMouseEvent",
                "{\"type\":\"mouseMoved\",\"x\":" + at.group(1) + ",\"y\":" + at.group(2) + "}");
    }

    /** {@return script errors, and resources that the browser refused to load or run} */
    List<String> complaints() {
        return complaints;
    }

    /** Sets the size, narrow for a phone, and the colour scheme. */
    void show(int width, int height, String scheme) {
        call(
                "Emulation.setDeviceMetricsOverride",
                "{\"width\":" + width + ",\"height\":" + height + ",\"deviceScaleFactor\":1,\"mobile\":" + (width < 600)
                        + "}");
        call(
                "Emulation.setEmulatedMedia",
                "{\"features\":[{\"name\":\"prefers-color-scheme\",\"value\":\"" + scheme + "\"}]}");
    }

    /**
     * Opens a page, fills in its first form for a path, and submits it.
     *
     * @return the message of the next page
     */
    String press(String page, String action, Map<String, String> fields) {
        open(page);
        String form = "[...document.forms].find(form => form.method === 'post' && form.getAttribute('action').endsWith("
                + dev.pawl.dashboard.internal.json.Json.write(action) + "))";
        try { // the page may be a second old; it refreshes by itself
            org.awaitility.Awaitility.await()
                    .atMost(Site.SOON)
                    .pollInterval(Duration.ofMillis(20))
                    .until(() -> is(form + " !== undefined"));
        } catch (org.awaitility.core.ConditionTimeoutException e) {
            throw new AssertionError(page + " has no form for " + action + ": " + text(), e);
        }
        StringBuilder script = new StringBuilder("window.isOld = true; { const form = " + form + ";");
        fields.forEach((name, value) -> script.append(" form.elements.namedItem(")
                .append(dev.pawl.dashboard.internal.json.Json.write(name))
                .append(").value = ")
                .append(dev.pawl.dashboard.internal.json.Json.write(value))
                .append(';'));
        String answer = evaluate(script + " form.requestSubmit(); }");
        if (answer.contains("exceptionDetails")) {
            throw new AssertionError(page + " has no such form for " + action + ": " + answer);
        }
        String said = "document.querySelector('.said')";
        try {
            org.awaitility.Awaitility.await()
                    .atMost(Site.SOON)
                    .pollInterval(Duration.ofMillis(20))
                    .until(() -> is("!window.isOld && document.readyState === 'complete' && " + said + " !== null"));
        } catch (org.awaitility.core.ConditionTimeoutException e) {
            throw new AssertionError(page + ", " + action + ": " + text(), e);
        }
        return evaluate(said + ".textContent");
    }

    private String text() {
        return evaluate("document.body.innerText").replace("\\n", "\n");
    }

    /** Takes a picture of the whole page up to a height: PNG or WebP, by the name of the file. */
    void screenshot(Path file, int mostHeight) throws IOException {
        String size =
                evaluate("Math.min(" + mostHeight + ", Math.max(innerHeight, document.documentElement.scrollHeight))");
        Matcher height = Pattern.compile("\"value\":(\\d+)").matcher(size);
        Matcher width = Pattern.compile("\"value\":(\\d+)").matcher(evaluate("innerWidth"));
        if (!height.find() || !width.find()) {
            throw new IOException("no size: " + size);
        }
        String format = file.toString().endsWith(".webp") ? "\"webp\",\"quality\":70" : "\"png\"";
        String answer = call(
                "Page.captureScreenshot",
                "{\"format\":" + format + ",\"captureBeyondViewport\":true,\"clip\":{\"x\":0,\"y\":0,\"width\":"
                        + width.group(1) + ",\"height\":" + height.group(1) + ",\"scale\":1}}");
        Matcher data = Pattern.compile("\"data\":\"([^\"]+)\"").matcher(answer);
        if (!data.find()) {
            throw new IOException("no picture: " + answer);
        }
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        Files.write(file, Base64.getDecoder().decode(data.group(1)));
    }

    @Override
    public void close() throws IOException {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().onExit().join();
        try (Stream<Path> files = Files.walk(profile)) {
            files.sorted(java.util.Comparator.reverseOrder()).forEach(file -> {
                boolean unused = file.toFile().delete();
            });
        }
    }
}
