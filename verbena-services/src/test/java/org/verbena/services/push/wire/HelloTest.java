package org.verbena.services.push.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.verbena.PrivateData;
import org.verbena.time.Seed;

/** Hellos and their replies: bytes, versions, and fields that contradict each other. */
final class HelloTest {
    private static final int RELIABLE = 15;

    private static Hello hello(int channel, int model, int use, int attributes) {
        return new Hello(1, 1, channel, model, use, attributes, 4096, 77, 0, 0, 0);
    }

    private static PrivateData cut(PrivateData data, int length) {
        return PrivateData.of(Arrays.copyOf(data.bytes(), length));
    }

    @Test
    void aHelloFitsInThePrivateDataOfEveryConnectRequest() {
        assertTrue(Hello.LENGTH <= 48);
        assertEquals(Hello.LENGTH, hello(0, 0, 2, RELIABLE).privateData().length());
        assertEquals(
                HelloReply.LENGTH,
                new HelloReply(1, 256, 1, 1, 1, 1).privateData().length());
    }

    @Test
    void everyHelloIsReadAsItWasWritten() {
        Seed seed = new Seed(5);
        for (int i = 0; i < 10_000; i++) {
            int lowest = 1 + seed.nextInt(0xffff);
            Hello hello = new Hello(
                    lowest,
                    lowest + seed.nextInt(0x10000 - lowest),
                    seed.nextInt(2),
                    seed.nextInt(3),
                    1 + seed.nextInt(2),
                    RELIABLE,
                    256 + seed.nextInt(Integer.MAX_VALUE - 255),
                    seed.nextLong(),
                    seed.nextInt(),
                    seed.nextInt(),
                    seed.nextInt(0x10000));
            PrivateData padded = cut(hello.privateData(), 56);
            assertNull(Hello.judge(hello.privateData()));
            assertNull(Hello.judge(padded));
            assertEquals(hello, Hello.read(padded));
            HelloReply reply = new HelloReply(
                    1,
                    256 + seed.nextInt(Integer.MAX_VALUE - 255),
                    seed.nextLong(),
                    seed.nextInt(),
                    seed.nextInt(),
                    seed.nextInt(0x10000));
            assertNull(HelloReply.judge(reply.privateData()));
            assertEquals(reply, HelloReply.read(cut(reply.privateData(), 196)));
        }
    }

    @Test
    void everyTruncationIsRefused() {
        for (int length = 0; length < Hello.LENGTH; length++) {
            assertEquals(
                    Refusal.TOO_SHORT, Hello.judge(cut(hello(0, 0, 2, RELIABLE).privateData(), length)));
        }
        for (int length = 0; length < HelloReply.LENGTH; length++) {
            assertEquals(
                    Refusal.TOO_SHORT, HelloReply.judge(cut(new HelloReply(1, 256, 1, 1, 1, 1).privateData(), length)));
        }
    }

    @Test
    void otherPrivateDataAreNoHello() {
        PrivateData other = PrivateData.of(new byte[56]);
        assertEquals(Refusal.WRONG_MARK, Hello.judge(other));
        assertEquals(Refusal.WRONG_MARK, HelloReply.judge(other));
    }

    @ParameterizedTest
    @CsvSource({
        // channel, model, use, attributes
        "2, 0, 2, 15", // no such channel
        "0, 3, 2, 15", // no such model
        "0, 0, 3, 15", // no such use
        "0, 0, 2, 31", // no such attribute
        "0, 0, 2, 143",
        "1, 0, 0, 15", // the channel that there is not
        "0, 0, 1, 13", // channel 0 not connected
        "0, 0, 1, 12", // channel 0 not connected
        "0, 0, 1, 7", // channel 1 acknowledged, not connected
        "0, 0, 2, 14", // RDMA, channel 0 not acknowledged
        "0, 0, 2, 3", // RDMA, channel 1 not connected
        "0, 1, 2, 11", // reads, channel 1 not acknowledged
        "0, 2, 2, 11"
    })
    void aHelloThatContradictsItselfIsRefused(int channel, int model, int use, int attributes) {
        assertEquals(
                Refusal.BAD_HELLO,
                Hello.judge(hello(channel, model, use, attributes).privateData()));
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0, 0, 3", // no data channel
        "0, 0, 0, 2", // no data channel, control not acknowledged
        "0, 0, 1, 3", // datagrams
        "1, 0, 1, 3",
        "1, 0, 1, 11", // sends, not acknowledged
        "0, 0, 2, 11", // writes, not acknowledged
        "1, 0, 2, 15",
        "1, 1, 2, 15",
        "1, 2, 2, 15"
    })
    void everyCombinationThatWorksIsAccepted(int channel, int model, int use, int attributes) {
        assertNull(Hello.judge(hello(channel, model, use, attributes).privateData()));
    }

    @ParameterizedTest
    @CsvSource({"0, 0, 256", "0, 1, 256", "2, 1, 256", "1, 1, 255", "1, 1, -1"})
    void versionsAndLongestMessageHaveABeginning(int lowest, int highest, int messageBytesMax) {
        Hello hello = new Hello(lowest, highest, 0, 0, 2, RELIABLE, messageBytesMax, 0, 0, 0, 0);
        assertEquals(Refusal.BAD_HELLO, Hello.judge(hello.privateData()));
    }

    @ParameterizedTest
    @CsvSource({"1, 1, 1", "1, 9, 1", "2, 9, 0", "2, 2, 0", "1, 65535, 1", "65535, 65535, 0"})
    void theHighestCommonVersionIsChosen(int lowest, int highest, int chosen) {
        assertEquals(chosen, Hello.negotiate(lowest, highest));
    }

    @ParameterizedTest
    @CsvSource({
        "1, 3, 2, 5, 3",
        "2, 5, 1, 3, 3",
        "1, 3, 3, 3, 3",
        "1, 2, 3, 4, 0",
        "3, 4, 1, 2, 0",
        "2, 4, 3, 3, 3",
        "1, 3, 3, 2, 0"
    })
    void laterVersionsWillBeChosenTheSameWay(int ownLowest, int ownHighest, int lowest, int highest, int chosen) {
        assertEquals(chosen, Hello.negotiate(ownLowest, ownHighest, lowest, highest));
    }

    @Test
    void aReplyWithAVersionThatWasNotOfferedIsRefused() {
        assertEquals(Refusal.NO_COMMON_VERSION, HelloReply.judge(new HelloReply(0, 256, 1, 0, 0, 0).privateData()));
        assertEquals(Refusal.NO_COMMON_VERSION, HelloReply.judge(new HelloReply(2, 256, 1, 0, 0, 0).privateData()));
        assertEquals(Refusal.BAD_HELLO, HelloReply.judge(new HelloReply(1, 255, 1, 0, 0, 0).privateData()));
        assertEquals(Refusal.BAD_HELLO, HelloReply.judge(new HelloReply(1, -1, 1, 0, 0, 0).privateData()));
    }
}
